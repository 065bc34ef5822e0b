#!/bin/sh
# Milliseconds per noop trial from fork to durable done: 1,000 trials, two slots, median and spread of runs.
# usage: noop_sweep.sh RETHINK [TRIALS [RUNS]]    RETHINK_PROGRAMS chooses the worker
set -eu
rethink=$1
trials=${2:-1000}
runs=${3:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'sweep: noop\nseeds: [0]\nstages:\n  a: {job: noop, steps: 1}\n' > "$folder/noop.yaml"
# Each run has a separate store and all are deleted at the end: ext4 skips recently deleted inodes one by one,
# which doubles the time of a run that follows a deletion.
run=0
while [ "$run" -lt "$runs" ]; do
  begin=$(date +%s%N)
  "$rethink" run "$folder/noop.yaml" --seeds "0..$((trials - 1))" --store "$folder/store-$run" --slots 2 --quiet
  end=$(date +%s%N)
  echo "$begin $end" | awk -v n="$trials" '{printf "%.3f\n", ($2 - $1) / 1e6 / n}'
  run=$((run + 1))
done | sort -n | awk '{ms[NR] = $1} END {printf "%.2f ms per trial (median of %d; %.2f to %.2f)\n", ms[int((NR + 1) / 2)], NR, ms[1], ms[NR]}'
