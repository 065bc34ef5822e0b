#!/bin/bash
# kills.sh COUNT SWEEP SITES PROGRAMS: runs SWEEP by the site `two` of SITES, and meanwhile kills COUNT times at random what
# runs it: pilots, zygotes, workers, programs (whose command lines match PROGRAMS), jobs, nodes, slurmd, slurmctld. Then
# collects. An attempt that found nothing to kill does not count.
# Prints what was killed, on standard error. Fails if the sweep was done before COUNT kills, or if in 10 minutes after the
# last kill no trial was done. $RANDOM's seed is $KILLS_SEED (default 1).
set -u
RANDOM=${KILLS_SEED:-1}
count=$1 sweep=$2 sites=$3 programs=$4
name="rethink $(basename "$sweep" .yaml)"
: >kills.log

look() { timeout 120 rethink run "$sweep" --site two --sites "$sites" --quiet >>looks.log 2>&1; }
# Of the processes on a node whose command line has the words; one of them at random.
some_pid() { cluster.sh on "$1" pgrep -f "$2" 2>/dev/null | shuf -n 1 --random-source=<(yes $RANDOM); }
some_job() { squeue --noheader --states=R --format=%i --name="$name" "$@" | shuf -n 1 --random-source=<(yes $RANDOM); }
pilots() { squeue --noheader --states=PD,CF,R,CG --name="$name" | wc -l; }
done_trials() { find store/trials -mindepth 2 -maxdepth 2 -name result.json | wc -l; }

look
killed=0
while [ "$killed" -lt "$count" ]; do
  sleep 0.$((RANDOM % 9 + 1))
  node=n$((RANDOM % 2 + 1)) pid= job=
  case $((RANDOM % 20)) in
    [0-3]) what="pilot on $node" pid=$(some_pid $node 'rethink pilot') ;;
    [4-6]) what="zygote on $node" pid=$(some_pid $node 'rethink(-worker)? serve') ;;
    [7-9]) what="worker on $node" pid=$(cluster.sh on $node sh -c 'for z in $(pgrep -f "rethink(-worker)? serve"); do pgrep -P $z; done' 2>/dev/null | shuf -n 1 --random-source=<(yes $RANDOM)) ;;
    10 | 11) what="program on $node" pid=$(some_pid $node "$programs") ;;
    12) what="job by scancel" job=$(some_job) ;;
    13) what="job by requeue" job=$(some_job) ;;
    14 | 15) what="job by preemption" job=$(some_job --nodelist=$node) ;;
    16) what="node $node" job=$(some_job --nodelist=$node) ;;
    17 | 18) what="slurmd on $node" job=$(some_job --nodelist=$node) ;;
    19) what="slurmctld" job=any ;;
  esac
  if [ -n "$pid$job" ]; then
    case $what in
      *scancel) scancel "$job" ;;
      *requeue) scontrol requeue "$job" ;;
      *preemption) sbatch --parsable --partition=urgent --nodelist=$node --exclusive --output=/dev/null --wrap true >/dev/null ;;
      node*) cluster.sh end-node $node; sleep 1; cluster.sh start-node $node ;;
      slurmd*) cluster.sh end-slurmd $node ;;
      slurmctld) cluster.sh end-controller $([ $((RANDOM % 2)) = 0 ] || echo KILL); sleep 1; cluster.sh start-controller ;;
      *) cluster.sh on $node kill -KILL "$pid" ;;
    esac 2>/dev/null && killed=$((killed + 1)) && echo "$killed $what $pid$job $(date +%T)" >>kills.log
  fi
  # A busy machine may take longer for a kill than Slurm waits; it then drains the node.
  scontrol update NodeName=n1,n2 State=RESUME 2>/dev/null
  # The command comes back to submit pilots that are missing, and every tenth time.
  [ "$(pilots)" -lt 2 ] || [ $((RANDOM % 10)) = 0 ] || continue
  look
  code=$?
  [ $code = 4 ] || echo "command: code $code, $(tail -n 1 looks.log)" >>kills.log
  [ $code != 0 ] || { echo "kills: the sweep was done after $killed of $count kills" >&2; exit 1; }
done
last=$(done_trials) since=$SECONDS
while look; [ $? = 4 ]; do
  now=$(done_trials)
  [ "$now" = "$last" ] || { last=$now since=$SECONDS; }
  [ $((SECONDS - since)) -lt 600 ] || { echo "kills: no trial was done for 10 minutes" >&2; exit 1; }
  sleep 1
done
grep -v '^command' kills.log | cut -d ' ' -f 2 | sort | uniq -c >&2
rethink run "$sweep" --site two --sites "$sites" --quiet
