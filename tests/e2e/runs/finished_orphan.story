# A worker finished its trial after the driver was killed, and no run waits for the trial any more.
=== s.yaml
sweep: s
seeds: [0]
stages: {train: {job: noop, steps: 2, tag: a}}
===
=== kill_driver
# kill_driver STORE: when its trial has ended, before the database knows
RETHINK_KILL_AT=after_ingest:1 rethink run s.yaml --store $1 >said 2>&1
rethink query "SELECT state FROM runs" --format csv --store $1
===
$ for store in a b c; do sh kill_driver $store; done
state
ready
state
ready
state
ready
$ sed -i 's/tag: a/tag: b/' s.yaml; rethink run s.yaml --quiet --store a; rethink query "SELECT state, count(*) AS n FROM runs GROUP BY state" --format csv --store a; rethink db check --hashes --store a
state,n
done,2
the database is sound and says <any>
$ rethink gc --dry-run --store b >said; rethink query "SELECT state FROM runs" --format csv --store b; rethink gc --store b; rethink query "SELECT state FROM runs" --format csv --store b; rethink db check --hashes --store b
state
ready
removed <n> MB in 0 places
state
done
the database is sound and says <any>
$ rethink cancel s --store c; rethink query "SELECT state FROM runs" --format csv --store c
cancelled 0 trials: 1 is done; to remove one that has ended: rethink rm <id> --store c
state
done
