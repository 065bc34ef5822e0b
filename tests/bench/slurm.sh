#!/bin/bash
# Milliseconds per trial on a Slurm of two nodes on this machine (tests/slurm/cluster.sh), from submission to done, in turns:
# rethink without Slurm (4 slots), rethink with two pilots, and submitit with an array of jobs that calls an empty function.
# The nodes have two processors each. Also prints the requests that slurmctld answered meanwhile, by sdiag.
# usage: slurm.sh RETHINK [TRIALS [ROUNDS [PYTHON]]]    a Python with submitit (default python3; without it: left out)
set -euo pipefail
rethink=$(realpath "$1")
trials=${2:-1000}
rounds=${3:-3}
python=${4:-python3}
cluster=$(realpath "$(dirname "$0")/../slurm/cluster.sh")
folder=$(mktemp -d)
export RETHINK_CLUSTER=$folder/cluster RETHINK_CLUSTER_SECONDS=7200 SLURM_CONF=$folder/cluster/slurm.conf
trap '"$cluster" stop || true; rm -rf "$folder"' EXIT
mkdir "$RETHINK_CLUSTER"
"$cluster" start "MaxArraySize=$((trials + 1))" "MaxJobCount=$((2 * trials + 100))"
cd "$folder"
printf 'sweep: noop\nseeds: [0]\nstages:\n  a: {job: noop, steps: 1}\n' >noop.yaml
printf 'two: {engine: slurm, sbatch: [--exclusive, --time=60:00], pilots: 2, ask_every: 30s}\n' >sites.yaml
cat >empty_jobs.py <<'END'
import sys

import submitit


def nothing(_):
    return 0


executor = submitit.SlurmExecutor(folder=sys.argv[2], python=sys.executable)
executor.update_parameters(array_parallelism=4, time=60, cpus_per_task=1)
jobs = executor.map_array(nothing, range(int(sys.argv[1])))
assert [job.result() for job in jobs] == [0] * len(jobs)
END

requests() { sdiag | awk '/^Remote Procedure Call statistics by message type/ {on = 1; next} /^$/ {on = 0} on {for (i = 1; i < NF; i++) if ($i ~ /^count:/) {split($i, c, ":"); n += c[2] ? c[2] : $(i + 1)}} END {print n + 0}'; }

# NAME COMMAND...: a line "NAME|MILLISECONDS|REQUESTS"
time_each() {
  local name=$1 begin before
  shift
  before=$(requests)
  begin=$(date +%s%N)
  "$@" >out.txt 2>&1 || { echo "$name failed:" >&2; tail -5 out.txt >&2; exit 1; }
  echo "$name|$(awk -v ns=$(($(date +%s%N) - begin)) -v n="$trials" 'BEGIN {printf "%.3f", ns / 1e6 / n}')|$(($(requests) - before))" >>lines
}

seeds=0..$((trials - 1))
for round in $(seq "$rounds"); do
  time_each 'rethink without Slurm' "$rethink" run noop.yaml --seeds $seeds --slots 4 --quiet --store "local-$round"
  time_each 'rethink, two pilots' "$rethink" run noop.yaml --seeds $seeds --site two --sites sites.yaml --wait --quiet --store "pilots-$round"
  if "$python" -c 'import submitit' 2>/dev/null; then
    time_each 'submitit, an array' "$python" empty_jobs.py "$trials" "submitit-$round"
  fi
done
echo "$trials empty trials, two nodes of two processors; ms per trial: median (least to most) of $rounds; requests to slurmctld: most"
sort -t '|' -k 1,1 -k 2,2n lines | awk -F '|' '
  function show() { if (n) printf "%-22s %9.1f (%.1f to %.1f) %6d requests\n", name, ms[int((n + 1) / 2)], ms[1], ms[n], most }
  $1 != name {show(); n = most = 0; name = $1}
  {ms[++n] = $2; if ($3 > most) most = $3}
  END {show()}'
