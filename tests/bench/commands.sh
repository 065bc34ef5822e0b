#!/bin/bash
# Milliseconds of the commands that read a store: plan, status and table on 1,000 done trials, plan of 10,000
# trials, a table from 1,000,000 rows of metrics. Each: median (smallest to largest) of the runs.
# usage: commands.sh RETHINK PROGRAMS [RUNS]    PROGRAMS: the folder of the worker without LibTorch
set -eu
rethink=$1
export RETHINK_PROGRAMS="$2"
runs=${3:-15}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p plots/tables

sweep() { # NAME TAGS [STEPS]: so many tags x 10 seeds
  tags=$(seq -s ', t' 1 "$2")
  cat > "$1.yaml" <<SWEEP
sweep: $1
seeds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
stages:
  train: {job: noop${3:+, steps: $3}, grid: {tag: [t$tags]}}
SWEEP
  cat > "plots/tables/$1.yaml" <<TABLE
table: $1
sweep: $1.yaml
stage: train
metric: dev/score@last
rows: {axis: tag}
columns: [{label: score}]
direction: max
test: {baseline: t1}
TABLE
}

measure() { # LABEL COMMAND...
  label=$1
  shift
  "$@" > out.txt 2> err.txt || { cat err.txt; exit 1; }
  run=0
  while [ "$run" -lt "$runs" ]; do
    begin=$EPOCHREALTIME # of bash itself: a process that tells the time would be measured too
    "$@" > out.txt 2>&1
    end=$EPOCHREALTIME
    echo "$begin $end" | awk '{printf "%.3f\n", ($2 - $1) * 1e3}'
    run=$((run + 1))
  done | sort -n | awk -v label="$label" \
    '{ms[NR] = $1} END {printf "%-44s %8.1f ms (%.1f to %.1f)\n", label, ms[int((NR + 1) / 2)], ms[1], ms[NR]}'
}

sweep thousand 100
"$rethink" run thousand.yaml --store store --slots 2 --quiet
sync # what the system still writes of the run is no part of the commands
measure "plan, 1,000 done trials" "$rethink" plan thousand.yaml --store store
measure "status, 1,000 done trials" "$rethink" status --store store
sweep sixty 6    # the same trials: names of sweeps are no part of an id
measure "table of 60 of 1,000 done trials" "$rethink" table sixty --store store
measure "table of all 1,000, with 99 tests" "$rethink" table thousand --store store

sweep many 1000
measure "plan, 10,000 trials, none done" "$rethink" plan many.yaml --store empty
measure "plan, 10,000 trials, 1,000 done" "$rethink" plan many.yaml --store store

# A loss of 1,000 steps for each of 1,000 trials.
sweep rows 100 1000
"$rethink" run rows.yaml --store store --quiet
rows=$("$rethink" query 'SELECT count(*) FROM metric' --store store --format csv | tail -n 1)
measure "table, $rows rows of metrics" "$rethink" table rows --store store
measure "curve of all, $rows rows" "$rethink" curve train/loss --where sweep=rows --store store
measure "mean of a metric by query, $rows rows" "$rethink" query --where "sweep=thousand" --by tag \
  --show "mean_ci(dev/score)" --store store
