# SQLite cannot read a page of a database: every reader names the command that helps, and it does.
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
8 trials, 1 sweep
$ rethink query "SELECT * FROM metric" --format csv | cmp - before.csv
$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rethink gc && find store/ -name '*damaged*'
removed <n> MB in <n> places

# A cut database is not mistaken for an empty one, and commands that write the store mend it.
$ cp -rL store other; for length in 1 4096; do for command in 'run s.yaml --quiet' 'retry s' 'cancel s' 'db merge other'; do rm -rf cut; cp -r other cut; truncate -s $length cut/rethink.db; rethink query "SELECT * FROM metric" --store cut >said 2>&1; [ $? = 3 ] && grep -q 'cut/rethink.db: the database is damaged (page [0-9]* .*); `rethink db rebuild --store cut`' said || echo "$length: $(cat said)"; rethink $command --store cut >said 2>&1 || echo "$length, $command: $(cat said)"; rethink query "SELECT * FROM metric" --format csv --store cut | cmp - before.csv; done; done; rm -rf cut

# In the -wal of a killed driver SQLite would take a changed byte for the end, and show fewer rows.
=== more.yaml
sweep: more
seeds: [0, 1]
stages:
  train: {job: noop, steps: 20, grid: {tag: [e, f]}}
===
$ RETHINK_KILL_AT=after_index_commit:5 rethink run more.yaml --slots 1 --store other >said 2>&1; for trial in other/trials/*; do flock $trial true; done; python3 -c "import sqlite3; print(sqlite3.connect('file:other/rethink.db?mode=ro', uri=True).execute('SELECT count(*) FROM trial_record').fetchone())"
(12,)
$ cp -r other cut; truncate -s 20000 cut/rethink.db-wal; printf '\377\377\377\377\377' | dd of=other/rethink.db-wal bs=1 seek=9000 conv=notrunc status=none; rm other/rethink.db-shm
$ for store in other cut; do rethink query "SELECT count(*) FROM trial" --store $store; done
<any>other/rethink.db: the database is damaged (rethink.db-wal is damaged at frame 3); `rethink db rebuild --store other` makes it again from the trials' folders
<any>cut/rethink.db: the database is damaged (rethink.db-wal is damaged at frame 5); `rethink db rebuild --store cut` makes it again from the trials' folders
[exit 3]
$ rethink run more.yaml --quiet --store other
<any>other/rethink.db: rethink.db-wal is damaged at frame 3; the database was made again from the trials' folders, and the damaged one is now <any>other/rethink.db.damaged-1, which `rethink gc --store <any>other<any>` removes
$ rethink db rebuild --store cut; rethink run more.yaml --quiet --store cut; for store in other cut; do rethink db check --hashes --store $store; done
...
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# A number was changed without a fault for SQLite: no command prints it, and commands that write the store mend it.
=== change.py
import os, sqlite3, struct
path = 'store/rethink.db'
value, = sqlite3.connect('file:%s?mode=ro' % path, uri=True).execute("SELECT value FROM metric WHERE name = 'score' LIMIT 1").fetchone()
pages = open(path, 'rb').read()
assert pages.count(struct.pack('>d', value)) > 0
with open(path, 'r+b') as file:
    file.write(pages.replace(struct.pack('>d', value), struct.pack('>d', value + 0.5)))
sqlite3.connect('file:%s?mode=ro' % path, uri=True).execute('SELECT * FROM metric').fetchall()
===
=== plots/tables/s.yaml
table: s
sweep: s.yaml
stage: train
rows: [{label: a, where: {tag: a}}]
columns: [{label: score, metric: dev/score}]
direction: max
seeds: 2
===
=== best.yaml
sweep: best
seeds: [0, 1]
stages:
  train: {job: noop, steps: 20, grid: {tag: [a, b, c, d]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
===
$ rethink run s.yaml --quiet && rethink table s --path . --format csv > table.csv && python3 change.py
$ rethink query "SELECT * FROM metric"
store/rethink.db: the database is damaged (page <n> does not have its checksum); `rethink db rebuild` makes it again from the trials' folders
[exit 3]
$ rethink table s --path .
store/rethink.db: the database is damaged (page <n> does not have its checksum); `rethink db rebuild` makes it again from the trials' folders
[exit 3]
$ rethink report --path .
...
store/rethink.db: the database is damaged (page <n> does not have its checksum); `rethink db rebuild` makes it again from the trials' folders
[exit 3]
$ rethink db snapshot copy.db
store/rethink.db: the database is damaged (page <n> does not have its checksum); `rethink db rebuild` makes it again from the trials' folders
[exit 3]
$ rethink db rebuild
the old database could not be read; it is now store/rethink.db.damaged-1, which `rethink gc` removes
8 trials, 1 sweep
$ rethink query "SELECT * FROM metric" --format csv | cmp - before.csv
$ python3 change.py
$ rethink run best.yaml --quiet
<any>store/rethink.db: page <n> does not have its checksum; the database was made again from the trials' folders, and the damaged one is now <any>/rethink.db.damaged-2, which `rethink gc` removes
$ rethink query "SELECT m.* FROM metric m JOIN trial t ON t.id = m.trial WHERE t.job = 'noop'" --format csv | cmp - before.csv
$ rethink table s --path . --format csv | cmp - table.csv
$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# If the database is missing, the store is not mistaken for an empty one.
$ rm store/rethink.db*
$ rethink plan s.yaml
store: the store has no database here; `rethink db rebuild` makes it from the trials' folders
[exit 3]
$ rethink db rebuild
9 trials, 2 sweeps
