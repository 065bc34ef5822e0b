# A worker finished its trial after the driver was killed, and no run waits for the trial any more.
=== s.yaml
sweep: s
seeds: [0]
stages: {train: {job: noop, steps: 2, tag: a}}
===
=== kill_driver
# kill_driver STORE: when its trial has ended, before the database knows
RETHINK_KILL_AT=after_ingest:1 rethink run s.yaml --store $1 >said 2>&1
===
=== recorded.py
# recorded.py STORE: the state in the database, which has no lock to ask
import sqlite3, sys
print(sqlite3.connect(f"file:{sys.argv[1]}/rethink.db?mode=ro", uri=True).execute("SELECT told FROM trial_record").fetchall())
===
$ for store in a b c d; do sh kill_driver $store; python3 recorded.py $store; done
[('running',)]
[('running',)]
[('running',)]
[('running',)]

# Each command that reads takes the result in.
=== readers
# readers: every command reads a store of its own
reads() {
  rm -rf e; cp -r d e
  rethink "$@" --store e | grep -oE '1 of 1 done|^done|^s train( +1){3} |^state +done'; python3 recorded.py e
}
reads status
reads query "SELECT state FROM runs" --format csv
reads plan s.yaml
reads show $(ls d/trials)
rethink db check --hashes --store e
===
$ sh readers
1 of 1 done
[('done',)]
done
[('done',)]
s train <any>1<any>1<any>1<any>
[('done',)]
state<any>done
[('done',)]
the database is sound and says <any>

$ sed -i 's/tag: a/tag: b/' s.yaml; rethink run s.yaml --quiet --store a; rethink query "SELECT state, count(*) AS n FROM runs GROUP BY state" --format csv --store a; rethink db check --hashes --store a
state,n
done,2
the database is sound and says <any>
$ rethink gc --dry-run --store b >said; python3 recorded.py b; rethink gc --store b; python3 recorded.py b; rethink db check --hashes --store b
[('running',)]
removed <n> MB in 0 places
[('done',)]
the database is sound and says <any>
$ rethink cancel s --store c; python3 recorded.py c
cancelled 0 trials: 1 is done; to remove one that has ended: rethink rm <id> --store c
[('done',)]
