#!/bin/bash
# One training step of the small language model: ours against PyTorch eager, in turns, on this machine.
#   tests/bench/peers/compare_lm_step.sh VENV [rounds] [options of both, e.g. --batch 64]
# VENV has torch (see lm_step.py). Prints the median of each round, both medians over rounds and their ratio.
set -euo pipefail
venv=${1:?usage: compare_lm_step.sh VENV [rounds] [options]}
rounds=${2:-5}
options=("${@:3}")
folder=$(cd "$(dirname "$0")" && pwd)
worker=${RETHINK_WORKER:-$folder/../../../build/release/bin/rethink-worker}

median_of() { sed -E 's/.*"median_ms": ?([0-9.]+).*/\1/'; }
middle() { sort -n | awk '{v[NR] = $1} END {print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

ours=() theirs=()
for ((round = 1; round <= rounds; ++round)); do
  a=$("$worker" bench lm_step "${options[@]}")
  b=$("$venv/bin/python" "$folder/lm_step.py" "${options[@]}")
  echo "ours   $a"
  echo "theirs $b"
  ours+=("$(median_of <<<"$a")") theirs+=("$(median_of <<<"$b")")
done
ours_ms=$(printf '%s\n' "${ours[@]}" | middle)
theirs_ms=$(printf '%s\n' "${theirs[@]}" | middle)
echo "median ours $ours_ms ms, PyTorch $theirs_ms ms, ratio $(awk "BEGIN {printf \"%.2f\", $theirs_ms / $ours_ms}")"
