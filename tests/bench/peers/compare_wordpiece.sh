#!/bin/bash
# WordPieces of a text: ours against HF tokenizers, one thread each, in turns, on this machine; MB a second of
# processor time.
#   tests/bench/peers/compare_wordpiece.sh VENV VOCAB TEXT [rounds] [cased]
# VENV has tokenizers (see wordpiece.py). Prints each round's median of 3, then the medians over the rounds, how far
# the rounds lie apart, and the ratio. Fails when the two disagree about the number of pieces.
set -euo pipefail
usage='usage: compare_wordpiece.sh VENV VOCAB TEXT [rounds] [cased]'
venv=${1:?$usage} vocab=${2:?$usage} text=${3:?$usage}
rounds=${4:-5} cased=${5:-}
folder=$(cd "$(dirname "$0")" && pwd)
bench=${WORDPIECE_BENCH:-$folder/../../../build/release/bin/wordpiece_bench}

value_of() { sed -E "s/.*\"$1\": ?([0-9.]+).*/\1/"; }
spread() { sort -n | awk '{v[NR] = $1} END {m = (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
  printf "%.1f MB/s (%.1f to %.1f)", m, v[1], v[NR]}'; }

ours=() theirs=()
for ((round = 1; round <= rounds; ++round)); do
  a=$("$bench" "$vocab" "$text" 3 $cased)
  b=$("$venv/bin/python" "$folder/wordpiece.py" "$vocab" "$text" 3 $cased)
  echo "ours   $a"
  echo "theirs $b"
  [ "$(value_of ids <<<"$a")" = "$(value_of ids <<<"$b")" ] || { echo "not the same number of pieces" >&2; exit 1; }
  ours+=("$(value_of median_mb_s <<<"$a")") theirs+=("$(value_of median_mb_s <<<"$b")")
done
a=$(printf '%s\n' "${ours[@]}" | spread)
b=$(printf '%s\n' "${theirs[@]}" | spread)
echo "ours $a, HF tokenizers $b, ratio $(awk "BEGIN {printf \"%.0f\", ${a%% *} / ${b%% *}}")"
