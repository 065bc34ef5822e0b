#!/bin/sh
# A Slurm cluster of two nodes on this machine, for tests. All files are in the folder that RETHINK_CLUSTER names.
#   cluster.sh check                 says why there can be no cluster here and exits 77, or exits 0
#   cluster.sh start [KEY=VALUE...]  starts munged, slurmctld and slurmd n1 and n2; more lines for slurm.conf
#   cluster.sh stop                  ends them, and whatever runs on the nodes
#   cluster.sh end-node NODE         ends a node like a power cut
#   cluster.sh start-node NODE
#   cluster.sh end-slurmd NODE       slurmd is killed, its jobs go on, and it comes back after a second
#   cluster.sh end-controller [KILL] slurmctld goes away, the nodes go on; killed, it loses what it has not saved yet
#   cluster.sh start-controller
#   cluster.sh on NODE COMMAND...    runs a command on a node that runs
#   cluster.sh wait-for STATE JOB    until squeue names the job with this state, or "gone"; at most 60 s
# A node has its own mounts, host name, process numbers, boot id and disk (/mnt), so that neither a pid nor a boot id of one
# node means anything on the other one. Both nodes and the caller share this kernel's file locks.
# Partitions: main (default), patient (as main, but 30 s of grace before preemption), urgent (preempts both).
# Each daemon ends by itself after RETHINK_CLUSTER_SECONDS (default 900): a test that was killed leaves nothing behind.
set -eu

folder=${RETHINK_CLUSTER:?names the folder of the cluster}
longest=${RETHINK_CLUSTER_SECONDS:-900}
export PATH="$PATH:/usr/sbin:/sbin" SLURM_CONF="$folder/slurm.conf"

fail() { echo "cluster: $*" >&2; exit 77; }

check() {
  for program in slurmctld slurmd sbatch squeue munged unshare mknod; do
    command -v $program >/dev/null || fail "$program is not installed (make check-slurm installs it)"
  done
  [ "$(id -u)" -eq 0 ] || fail "only root can start nodes with mounts of their own"
  unshare --mount --uts --pid --fork --mount-proc true 2>/dev/null || fail "unshare is not allowed here"
}

# The processes in a node's group end with it: its first process is the first of a namespace.
pid_in() { cat "$folder/$1.pid" 2>/dev/null || echo none; }
runs() { [ "$(pid_in "$1")" != none ] && kill -0 "$(pid_in "$1")" 2>/dev/null; }

daemon() { # NAME COMMAND...
  name=$1
  shift
  setsid timeout --kill-after=5 $longest "$@" >>"$folder/log/$name" 2>&1 </dev/null &
  echo $! >"$folder/$name.pid"
}

end() { # NAME SIGNAL
  runs "$1" || return 0
  kill -s "$2" -- "-$(pid_in "$1")" 2>/dev/null || true
  for _ in $(seq 200); do
    runs "$1" || break
    sleep 0.1
  done
  rm -f "$folder/$1.pid"
}

free_port() { # FIRST: the first port from there on that nobody listens at
  port=$1
  while grep -qis ":$(printf %04X "$port") " /proc/net/tcp; do port=$((port + 1)); done
  echo "$port"
}

write_configuration() {
  first=$((20000 + $$ % 4000 * 3)) # three ports of its own, below those that the kernel hands out
  controller_port=$(free_port $first)
  n1_port=$(free_port $((controller_port + 1)))
  n2_port=$(free_port $((n1_port + 1)))
  cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=$controller_port
SlurmUser=root
AuthType=auth/munge
CryptoType=crypto/munge
# cred_expire (at least 5) is also how long a requeued job waits [s].
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/slurmctld.own_pid
SlurmdPidFile=$folder/%n.own_pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
GresTypes=gpu
MinJobAge=10
KillWait=5
SlurmdTimeout=60
MessageTimeout=5
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=100000,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$n1_port CPUs=2 RealMemory=2000 Gres=gpu:2
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$n2_port CPUs=2 RealMemory=2000 Gres=gpu:2
PartitionName=main Nodes=n1,n2 Default=YES PriorityTier=1 State=UP
PartitionName=patient Nodes=n1,n2 PriorityTier=1 GraceTime=30 State=UP
PartitionName=urgent Nodes=n1,n2 PriorityTier=10 PreemptMode=OFF State=UP
END
  for line in "$@"; do
    sed -i "/^${line%%=*}=/d" "$folder/slurm.conf"
    echo "$line" >>"$folder/slurm.conf"
  done
  # Fake GPUs: jobs get CUDA_VISIBLE_DEVICES, and no driver is asked.
  for gpu in 0 1; do mknod "$folder/gpu$gpu" c 1 3; done
  echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-1]" >"$folder/gres.conf"
  echo "ConstrainDevices=no" >"$folder/cgroup.conf"
}

start_controller() { daemon slurmctld slurmctld -D; }

start_node() {
  node=$1
  mkdir -p "$folder/$node" "$folder/$node.local"
  cat /proc/sys/kernel/random/uuid >"$folder/$node.boot_id"
  { cat /etc/hosts; echo "127.0.0.1 n1 n2"; } >"$folder/hosts"  # torchrun looks up its node
  # The shell stays as the first process, since it reaps orphans as init does. Slurm waits for each process of a job.
  # shellcheck disable=SC2016  # the node's own shell reads them
  daemon "$node" unshare --mount --uts --pid --fork --kill-child --mount-proc sh -c '
    hostname "$1"
    mount --bind "$2/$1.boot_id" /proc/sys/kernel/random/boot_id
    mount --bind "$2/$1.local" /mnt
    mount --bind "$2/hosts" /etc/hosts
    while slurmd -D -N "$1" & wait $!; [ $? = 137 ]; do sleep 1; done' sh "$node" "$folder"
}

start() {
  check
  mkdir -p "$folder/state" "$folder/log"
  chmod 700 "$folder"
  write_configuration "$@"
  head -c 1024 /dev/urandom >"$folder/munge.key"
  chmod 600 "$folder/munge.key"
  daemon munged munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.own_pid" --seed-file="$folder/munge.seed" --log-file="$folder/log/munged.own"
  for _ in $(seq 50); do
    [ -S "$folder/munge.socket" ] && break
    sleep 0.1
  done
  start_controller
  start_node n1
  start_node n2
  until=$(($(date +%s) + 60))
  while [ "$(date +%s)" -lt $until ]; do
    [ "$(timeout 10 sinfo -h -t idle -o %D 2>/dev/null | head -1)" = 2 ] && return 0
    runs n1 && runs n2 && runs slurmctld || break
    sleep 0.2
  done
  for name in munged slurmctld n1 n2; do
    echo "-- $name" >&2
    tail -n 5 "$folder/log/$name" >&2
  done
  stop
  fail "slurmctld and slurmd do not run here"
}

stop() {
  for name in n1 n2 slurmctld munged; do end $name KILL; done
}

on() { # NODE COMMAND...
  node=$1
  shift
  runs "$node" || { echo "cluster: node $node does not run" >&2; exit 1; }
  # timeout, unshare, and then the node's first process.
  unshared=$(pgrep -P "$(pid_in "$node")")
  exec nsenter --target "$(pgrep -P "$unshared" | head -1)" --mount --uts --pid -- "$@"
}

wait_for() { # STATE JOB
  until=$(($(date +%s) + 60))
  while [ "$(date +%s)" -lt $until ]; do
    state=$(timeout 10 squeue -h -t all -j "$2" -o %T 2>&1 | head -1)
    case $state in *"Invalid job id"* | "") state=gone ;; esac
    [ "$state" != "$1" ] || return 0
    sleep 0.25
  done
  echo "cluster: job $2 is $state after 60 s, not $1" >&2
  return 1
}

action=${1:-}
[ $# -eq 0 ] || shift
case $action in
  check) check ;;
  start) start "$@" ;;
  stop) stop ;;
  end-node) end "$1" KILL ;;
  start-node) start_node "$1" ;;
  end-slurmd) on "$1" pkill -KILL -x slurmd ;;
  end-controller) end slurmctld "${1:-TERM}" ;;  # by TERM it writes down its jobs, as before an update
  start-controller) start_controller ;;
  on) on "$@" ;;
  wait-for) wait_for "$@" ;;
  *) echo "cluster: got '$action', expected check, start, stop, end-node, start-node, end-slurmd, end-controller, start-controller, on or wait-for" >&2; exit 2 ;;
esac
