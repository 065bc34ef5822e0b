#!/bin/bash
# Training steps of a language model and of a translation model, and beam search: ours against PyTorch, in turns, on this
# machine, with dense attention and BET(SF).
#   tests/bench/peers/compare_decoders.sh VENV [options, e.g. --rounds 10]
# VENV has torch (see decoder_step.py).
set -euo pipefail
venv=${1:?usage: compare_decoders.sh VENV [options]}
folder=$(cd "$(dirname "$0")" && pwd)
worker=${RETHINK_WORKER:-$folder/../../../build/release/bin/rethink-worker}

for attention in dense bird_eye; do
  for what in lm_step mt_step; do
    printf '\n== %s, %s ==\n' $what $attention
    "$venv/bin/python" "$folder/decoder_step.py" "$worker" $what --attention $attention "${@:2}"
  done
  printf '\n== beam_search, %s ==\n' $attention
  "$venv/bin/python" "$folder/beam_search.py" "$worker" --attention $attention "${@:2}"
done
