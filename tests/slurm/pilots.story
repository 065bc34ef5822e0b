# Two pilots on two nodes run a sweep, and nobody waits for them on the login node.
=== sites.yaml
two:
  engine: slurm
  sbatch: [--exclusive, --time=10:00]
  pilots: 2
  ask_every: 1s
===
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  a: {job: noop, steps: 40, sleep_ms: 20, checkpoint_every: 4, grid: {tag: [x, y, z]}}
  b: {job: noop, needs: {init: a}, steps: 2}
===
=== collect
for look in $(seq 200); do rethink run slow.yaml --site two --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 0.2; done; exit $code
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
===
$ rethink run slow.yaml --site two --sites sites.yaml
submitted 2 pilots to site two: 1, 2
0 of 6 trials done; come back with: rethink run slow.yaml --site two --sites sites.yaml
[exit 4]

$ sh ./collect

$ rethink run slow.yaml --store quiet --quiet; sh ./numbers quiet > local.csv; sh ./numbers store | cmp - local.csv

# A job is taken out of the queue while it runs: another pilot continues from the checkpoints.
$ rm -r store; rethink run slow.yaml --site two --sites sites.yaml --quiet; cluster.sh wait-for RUNNING 3; sleep 0.3; scancel 3; sh ./collect; sh ./numbers store | cmp - local.csv
