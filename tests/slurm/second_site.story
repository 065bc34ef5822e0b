# A sweep that runs at one site gets a second site: its pilots run what nobody runs, and leave the trials of the first site
# alone, also when these are silent.
# only in make check-slurm: it takes a minute
=== sites.yaml
n1: {engine: slurm, sbatch: [--exclusive, --time=10:00, --nodelist=n1], ask_every: 1s}
n2: {engine: slurm, sbatch: [--exclusive, --time=10:00, --nodelist=n2], pilots: 2, ask_every: 1s}
here: {engine: local}
===
=== s.yaml
sweep: s
seeds: [0]
stages:
  a: {job: noop, steps: 500, sleep_ms: 20, checkpoint_every: 4, grid: {tag: [x, y]}}
  b: {job: noop, steps: 50, sleep_ms: 20, checkpoint_every: 4, grid: {tag: [z]}}
===
=== begin
# Two trials run at site n1.
rethink run s.yaml --only a --site n1 --sites sites.yaml --quiet
for look in $(seq 600); do [ $(ls -d store/trials/*/checkpoints/* 2>/dev/null | cut -d / -f 3 | sort -u | wc -l) = 2 ] && exit; sleep 0.05; done; echo no checkpoint
===
=== collect
for look in $(seq 300); do rethink run s.yaml --site n2 --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 0.2; done; exit $code
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
rethink query "SELECT trial, number, outcome FROM attempt ORDER BY 1, 2" --format csv --store $1
===
$ rethink run s.yaml --store quiet --quiet; sh ./numbers quiet > local.csv

# All trials run at the first site: a pilot at the second one would have nothing to do.
$ sh ./begin; rethink run s.yaml --only a --site n2 --sites sites.yaml
pilots of site n1: 1 runs
0 of 2 trials done; come back with: rethink run s.yaml --only a --site n2 --sites sites.yaml
[exit 4]

# One trial more: one pilot more, although the site may have two.
$ rethink run s.yaml --site n2 --sites sites.yaml
pilots of site n1: 1 runs
submitted 1 pilot to site n2: 2
<n> of 3 trials done; come back with: rethink run s.yaml --site n2 --sites sites.yaml
[exit 4]

$ sh ./collect; sh ./numbers store | cmp - local.csv

# The first site's job is suspended. A pilot of this machine, which cannot know the job, runs the trial that nobody runs,
# and ends.
$ rm -r store; sh ./begin; scontrol suspend $(squeue --noheader --states=R --format=%i); rethink run s.yaml --site here --sites sites.yaml; for look in $(seq 300); do rethink status | grep -q 'site here' || break; sleep 0.1; done; rethink status | grep pilots
pilots of site n1: <n> runs
submitted 1 pilot to site here: <any>
0 of 3 trials done; come back with: <any>
pilots of site n1: <n> runs<any>

$ scontrol resume $(squeue --noheader --states=S --format=%i); sh ./collect; sh ./numbers store | cmp - local.csv
