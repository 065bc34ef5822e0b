# A database of which SQLite cannot read a page: every reader says what helps, and it does.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 20, grid: {tag: [a, b, c, d]}}
===
$ rethink run s.yaml --quiet
$ rethink query "SELECT * FROM metric" --format csv > before.csv
$ dd if=/dev/urandom of=store/rethink.db bs=4096 seek=2 count=20 conv=notrunc status=none
$ rethink query "SELECT * FROM metric, event"
store/rethink.db: the database is damaged (<any>); `rethink db rebuild` makes it again from the trials' folders
[exit 3]
$ rethink db check 2>&1 | tail -1
<any>`rethink db rebuild` makes <any>
$ rethink db rebuild
the old database could not be read; it is now store/rethink.db.damaged-1, which `rethink gc` removes
8 trials, 1 sweeps
$ rethink query "SELECT * FROM metric" --format csv | cmp - before.csv
$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rethink gc && find store/ -name '*damaged*'
removed <n> MB in <n> places

# One that is gone: nobody takes the store for an empty one.
$ rm store/rethink.db*
$ rethink plan s.yaml
store: the store has no database here; `rethink db rebuild` makes it from the trials' folders
[exit 3]
$ rethink db rebuild
8 trials, 1 sweeps
