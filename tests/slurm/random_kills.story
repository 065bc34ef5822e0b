# Random kills of everything that runs trials: pilots, zygotes, workers, jobs, nodes, slurmctld. No trial is lost, none is
# done twice, and the numbers are those of a quiet run.
# cluster: SlurmdTimeout=10 MinJobAge=10
# only in make check-slurm: it takes minutes
=== sites.yaml
two: {engine: slurm, sbatch: [--exclusive, --time=10:00], pilots: 2, ask_every: 1s}
===
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  a: {job: noop, steps: 40, sleep_ms: 20, checkpoint_every: 2, grid: {tag: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t]}}
  b: {job: noop, needs: {init: a}, steps: 20, sleep_ms: 20, checkpoint_every: 2}
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
===
$ rethink run s.yaml --store quiet --quiet; sh ./numbers quiet > local.csv

$ kills.sh ${KILLS:-20} s.yaml sites.yaml 2> killed; sh ./numbers store | cmp - local.csv; rethink query "SELECT outcome, count(*) AS n FROM attempt WHERE outcome = 'done' GROUP BY 1" --format csv
outcome,n
done,80

$ rethink db check
<any>
