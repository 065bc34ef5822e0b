# Pilots in a container without Slurm's commands: the pilot cannot ask the queue, and the command on the login node does.
# cluster: SlurmdTimeout=10 MinJobAge=10
# only in make check-slurm: a worker of a dead node is silent for two minutes before its trial continues
=== sites.yaml
n1: {engine: slurm, sbatch: [--exclusive, --time=10:00, --nodelist=n1], wrap: env PATH=$PWD/container, ask_every: 1s}
n2: {engine: slurm, sbatch: [--exclusive, --time=10:00, --nodelist=n2], wrap: env PATH=$PWD/container, ask_every: 1s}
===
=== s.yaml
sweep: s
seeds: [0]
stages:
  a: {job: noop, steps: 200, sleep_ms: 20, checkpoint_every: 4}
===
=== collect
for look in $(seq 1000); do rethink run s.yaml --site n2 --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 1; done; exit $code
===
$ mkdir container; for program in bash sh env timeout; do ln -s $(command -v $program) container; done; env PATH=$PWD/container bash -c squeue 2>&1 | grep -c 'not found'
1

# The node loses its power. The trial continues on the other node from its last checkpoint.
$ rethink run s.yaml --site n1 --sites sites.yaml --quiet; for look in $(seq 600); do ls store/trials/*/checkpoints/* >/dev/null 2>&1 && break; sleep 0.05; done; cluster.sh end-node n1; scancel 1; cluster.sh wait-for CANCELLED 1

$ sh ./collect; rethink query "SELECT number, outcome FROM attempt ORDER BY 1" --format csv
number,outcome
1,lost
2,done

# One pilot was enough: none ended at once without work.
$ sbatch --parsable --output=/dev/null --wrap true
3
