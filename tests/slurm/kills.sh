#!/bin/bash
# kills.sh COUNT SWEEP SITES: runs SWEEP by the site `two` of SITES, and meanwhile kills COUNT times at random what runs it:
# pilots, zygotes, workers, jobs, nodes, slurmctld. Then collects. Prints what was killed, on standard error. $RANDOM's
# seed is $KILLS_SEED (default 1).
set -u
RANDOM=${KILLS_SEED:-1}
count=$1 sweep=$2 sites=$3

look() { timeout 120 rethink run "$sweep" --site two --sites "$sites" --quiet >>looks.log 2>&1; }
# Of the processes on a node whose command line has the words; one of them at random.
some_pid() { cluster.sh on "$1" pgrep -f "$2" 2>/dev/null | shuf -n 1 --random-source=<(yes $RANDOM); }
some_job() { squeue --noheader --states=R --format=%i --name="rethink $(basename "$sweep" .yaml)" | shuf -n 1; }

look
for kill in $(seq "$count"); do
  sleep 0.$((RANDOM % 9 + 1))
  node=n$((RANDOM % 2 + 1)) pid= job=
  case $((RANDOM % 20)) in
    [0-4]) what="pilot on $node" pid=$(some_pid $node 'rethink pilot') ;;
    [5-8]) what="zygote on $node" pid=$(some_pid $node 'rethink(-worker)? serve') ;;
    9 | 1[0-2]) what="worker on $node" pid=$(cluster.sh on $node sh -c 'for z in $(pgrep -f "rethink(-worker)? serve"); do pgrep -P $z; done' 2>/dev/null | shuf -n 1) ;;
    13 | 14) what="job by scancel" job=$(some_job); [ -z "$job" ] || scancel "$job" ;;
    15 | 16) what="job by requeue" job=$(some_job); [ -z "$job" ] || scontrol requeue "$job" ;;
    17) what="job by preemption"; sbatch --parsable --partition=urgent --nodelist=$node --exclusive --output=/dev/null --wrap true >/dev/null ;;
    18) what="node $node"; cluster.sh end-node $node; sleep 1; cluster.sh start-node $node ;;
    19) what="slurmctld"; cluster.sh end-controller; sleep 1; cluster.sh start-controller ;;
  esac
  [ -z "$pid" ] || cluster.sh on $node kill -KILL "$pid" 2>/dev/null
  [ -z "${pid}${job:-}" ] && case $what in pilot* | zygote* | worker* | *scancel | *requeue) what="nothing, $what" ;; esac
  echo "$kill $what $pid" >>kills.log
  # A busy machine may take longer for a kill than Slurm waits; it then drains the node.
  scontrol update NodeName=n1,n2 State=RESUME 2>/dev/null
  look
done
until=$(($(date +%s) + 900))
while look; [ $? = 4 ] && [ "$(date +%s)" -lt $until ]; do sleep 1; done
cut -d ' ' -f 2 kills.log | sort | uniq -c >&2
rethink run "$sweep" --site two --sites "$sites" --quiet
