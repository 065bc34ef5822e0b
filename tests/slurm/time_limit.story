# The end of a job's time: trials go on from their checkpoints, and no trial is begun that would not be done.
# only in make check-slurm: Slurm's shortest time limit is a minute
=== sites.yaml
brief:
  engine: slurm
  sbatch: [--exclusive, --time=1, --nodelist=n1]
  ask_every: 1s
===
=== long.yaml
sweep: long
seeds: [0]
stages:
  a: {job: noop, steps: 3000, sleep_ms: 20, checkpoint_every: 1000, grid: {tag: [x, y]}}
===
=== program.yaml
sweep: program
seeds: [0]
stages:
  a: {job: command, run: [sleep, "300"], code: [program.yaml], metrics: {dev/acc: max}}
===
=== collect
for look in $(seq 1000); do rethink run $1 --site brief --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 0.2; done; exit $code
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
===
$ rethink run long.yaml --set sleep_ms=0 --store fast --quiet; rethink query "SELECT name, step, value FROM metric ORDER BY 1, 2, 3" --format csv --store fast > fast.csv

# Each trial takes a minute, more than one job has for it.
$ sh ./collect long.yaml; rethink query "SELECT name, step, value FROM metric ORDER BY 1, 2, 3" --format csv | cmp - fast.csv; rethink query "SELECT number, outcome FROM attempt ORDER BY 1, 2" --format csv; squeue --noheader --states=all --format=%i | sort -u
number,outcome
1,interrupted
1,interrupted
2,done
2,done
1

# A program that makes no checkpoint is tried once. Then it is known that no job of this site has the time for it.
$ sh ./collect program.yaml
site 'brief': the pilots have ended, and trials are left: a seed 0 takes <n> s and makes no checkpoint, and a job of site 'brief' has <n> s for trials: give its jobs a longer time, such as by --time in sbatch; correct the cause and give the same command again
[exit 3]

$ rethink query "SELECT number, outcome FROM attempt JOIN trial ON trial.id = attempt.trial WHERE job = 'command'" --format csv
number,outcome
1,interrupted
