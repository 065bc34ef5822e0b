#!/bin/bash
# BET's language model trained by the job `lm` and by plain PyTorch as a program of its own (job: command): one sweep, one
# table, the time of both.
#   tests/bench/peers/compare_lm_training.sh PYTHON DATA [STORE [options of `rethink run`, e.g. --profile small]]
# PYTHON has torch 2.11. DATA has wikitext-2 (`rethink data get wikitext_2 --data DATA`). The store stays: the same command
# goes on with what it has.
set -euo pipefail
usage="usage: compare_lm_training.sh PYTHON DATA [STORE [options of rethink run]]"
python=$(command -v "${1:?$usage}")
data=$(realpath "${2:?$usage}")
store=$(realpath -m "${3:-peers-store}")
options=("${@:4}")
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../../.." && pwd)
rethink=$(realpath "${RETHINK:-$checkout/build/release/bin/rethink}")

# A program's code lies beside its sweep, which the store knows by its path.
work=$store.sweep
mkdir -p "$work/bin"
cp "$here"/train_lm.yaml "$here"/train_lm_table.yaml "$checkout"/experiments/templates/bet-lm/*.py "$work"
cp "$checkout/release/python/rethink/_trial.py" "$work/rethink.py"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$work/bin/python3"
chmod +x "$work/bin/python3"
export PATH="$work/bin:$PATH"
cd "$work"

"$rethink" run train_lm.yaml --path "$checkout" --data "$data" --store "$store" "${options[@]}"
choices=()  # of trials, which the table needs too
for ((i = 0; i < ${#options[@]}; i++)); do
  case ${options[$i]} in --profile | --set | --seeds) choices+=("${options[$i]}" "${options[$((i + 1))]}") ;; esac
done
"$rethink" table train_lm_table.yaml --path "$checkout" --data "$data" --store "$store" "${choices[@]}"
"$rethink" query "select stage, count(*) as trials, round(avg(a.seconds), 1) as seconds_each from sweep_trial s join attempt a on \
a.trial = s.trial where a.outcome = 'done' group by stage" --store "$store"
