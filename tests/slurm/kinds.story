# Pilots on two kinds of processors: each first goes on with trials that were begun on its own kind, then begins new ones,
# and takes those of the other kind last.
=== sites.yaml
n1: {engine: slurm, sbatch: [--exclusive, --nodelist=n1], ask_every: 1s}
n2: {engine: slurm, sbatch: [--exclusive, --nodelist=n2], ask_every: 1s}
===
=== s.yaml
sweep: s
seeds: [0]
stages:
  a: {job: noop, steps: 40, sleep_ms: 20, checkpoint_every: 2, grid: {tag: [x, y, z]}}
===
=== begin
# One trial has a checkpoint of a pilot on n1, which is taken out of the queue then.
rm -rf store; rethink run s.yaml --site n1 --sites sites.yaml --slots 1 --quiet
for look in $(seq 600); do ls store/trials/*/checkpoints/* >/dev/null 2>&1 && break; sleep 0.02; done
scancel $1; cluster.sh wait-for CANCELLED $1
===
=== rest
for look in $(seq 300); do rethink run s.yaml --site $1 --sites sites.yaml --slots 1 --quiet; code=$?; [ $code = 4 ] || break; sleep 0.2; done
rethink query "SELECT number FROM attempt ORDER BY json_extract(facts, '$.at')" --format csv | tr '\n' ' '; exit $code
===
$ sed 's/^stepping.*/stepping\t: 99/' /proc/cpuinfo > cpuinfo; cluster.sh on n2 mount --bind $PWD/cpuinfo /proc/cpuinfo; cluster.sh on n2 grep -m 1 stepping /proc/cpuinfo
stepping	: 99

$ sh ./begin 1; sh ./rest n1
number 1 2 1 1 

$ sh ./begin 3; sh ./rest n2
number 1 1 1 2 
