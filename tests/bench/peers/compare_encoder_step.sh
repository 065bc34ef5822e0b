#!/bin/bash
# One step of BERT's pretraining: ours against Hugging Face's transformers, in turns, on this machine, at three sizes.
#   tests/bench/peers/compare_encoder_step.sh VENV [options, e.g. --rounds 5 --without bfloat16]
# VENV has torch and transformers (see encoder_step.py).
set -euo pipefail
venv=${1:?usage: compare_encoder_step.sh VENV [options]}
folder=$(cd "$(dirname "$0")" && pwd)
worker=${RETHINK_WORKER:-$folder/../../../build/release/bin/rethink-worker}

compare() {
  printf '\n== %s layers of width %s, %s tokens, 8 pairs, %s pieces ==\n' "$1" "$2" "$3" "$4"
  "$venv/bin/python" "$folder/encoder_step.py" "$worker" --layers "$1" --d_model "$2" --heads $(($2 / 64)) \
    --ffn $((4 * $2)) --tokens "$3" --vocabulary "$4" "${@:5}"
}

compare 2 128 64 2048 "${@:2}"
compare 4 256 128 8192 "${@:2}"
compare 6 384 128 16384 "${@:2}"
