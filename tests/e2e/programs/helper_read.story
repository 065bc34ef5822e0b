# read() in Python: the one-file module's by SQLite, with and without pandas, while a driver writes; and the wheel's.
# not under BARE: it needs no other environment
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, grid: {steps: [2, 3]}}
===
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  train: {job: noop, steps: 1000, sleep_ms: 50}
===
=== without/pandas.py
raise ImportError("this test has none")
=== with/pandas.py
class DataFrame:
    """Says what it gets."""
    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; rethink run s.yaml --quiet; PYTHONPATH=without python3 -c 'import rethink; print(sorted((row["steps"], row["seed"], row["state"], row["score"] == row["dev/score@last"]) for row in rethink.read()))'
[(2, 0, 'done', True), (2, 1, 'done', True), (3, 0, 'done', True), (3, 1, 'done', True)]

$ PYTHONPATH=with python3 -c 'import rethink; frame = rethink.read("store", "SELECT steps, count(*) AS n FROM runs GROUP BY steps ORDER BY steps"); print(frame.columns, frame.rows)'
['steps', 'n'] [(2, 2), (3, 2)]

# A snapshot, a name with characters of an address, a missing store, and a wrong statement.
$ rethink db snapshot 'a?b#c%20.db' >/dev/null && PYTHONPATH=without python3 -c 'import rethink; print(len(rethink.read("a?b#c%20.db")))'
4

$ PYTHONPATH=without python3 -c 'import rethink; rethink.read("nowhere")' 2>&1 | tail -1; PYTHONPATH=without python3 -c 'import rethink; rethink.read(sql="DELETE FROM trial_record")' 2>&1 | tail -1
FileNotFoundError: <any>/nowhere does not exist: expected the folder of a store. The database of a store on a network disk is elsewhere: `rethink db snapshot copy.db --store nowhere` copies it
sqlite3.OperationalError: attempt to write a readonly database

# The wheel's module asks the program, and gives pandas its CSV.
=== csv/pandas.py
import csv
def read_csv(text):
    """The rows, as text."""
    return list(csv.DictReader(text))
=== package/rethink/bundle/rethink
#!/bin/sh
exec rethink "$@"
===
$ chmod +x package/rethink/bundle/rethink; cp "$FIXTURES"/../../release/python/rethink/*.py package/rethink; mkdir elsewhere; cd elsewhere; PYTHONPATH=../package:../csv python3 -c 'import rethink; print(sorted((row["steps"], row["seed"], row["state"], row["score"] == row["dev/score@last"]) for row in rethink.read("../store"))); print(rethink.read("../store", "SELECT count(*) AS n FROM runs"))'
[('2', '0', 'done', True), ('2', '1', 'done', True), ('3', '0', 'done', True), ('3', '1', 'done', True)]
[{'n': '4'}]

$ cd elsewhere; for call in '"nowhere"' '"../store", "SELECT none FROM runs"'; do PYTHONPATH=../package:../csv python3 -c "import rethink; rethink.read($call)" 2>&1 | grep '^RuntimeError'; done
RuntimeError: <any>nowhere<any>
RuntimeError: <any>none<any>

# A driver writes meanwhile, and goes on.
$ rethink run slow.yaml --quiet 2>/dev/null & driver=$!; for i in $(seq 1200); do PYTHONPATH=without python3 -c 'import rethink; print(rethink.read(sql="SELECT count(*) AS n FROM metric JOIN sweep_trial USING (trial) WHERE sweep = \"slow\"")[0]["n"] > 0)' | grep True && break; sleep 0.05; done; kill -INT $driver; wait $driver; rethink db check
True
the database is sound and its states are those of the folders (--hashes compares every row, event and artifact)
