# A disk between the nodes whose locks keep nobody out, and whose listings lack for 2 s what the other node claimed. Claims
# keep the pilots apart, and each trial has one attempt.
# only in make check-slurm: it takes half a minute
=== sites.yaml
two: {engine: slurm, sbatch: [--exclusive, --time=10:00], pilots: 2, setup: "export LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT=lock:granted:trials:* RETHINK_LATE_LISTINGS=2", ask_every: 1s}
===
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  a: {job: noop, steps: 10, sleep_ms: 20, checkpoint_every: 2, grid: {tag: [a, b, c, d, e, f, g, h, i, j]}}
  b: {job: noop, needs: {init: a}, steps: 5, sleep_ms: 20}
===
=== collect
for look in $(seq 300); do rethink run s.yaml --site two --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 0.5; done; exit $code
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
===
$ sh ./collect; rethink query "SELECT outcome, max(number) AS last, count(*) AS n FROM attempt GROUP BY 1" --format csv
outcome,last,n
done,1,40

# Both nodes took part.
$ cat store/trials/*/attempt-1/lease.json | grep -o '"node": *"n[12]"' | sort -u | wc -l
2

$ rethink run s.yaml --store quiet --quiet; sh ./numbers quiet > local.csv; sh ./numbers store | cmp - local.csv
