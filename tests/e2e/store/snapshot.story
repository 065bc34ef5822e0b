# A snapshot gives the database's answers, and names the questions that it cannot answer.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
===
=== plots/tables/s.yaml
table: s
sweep: s.yaml
stage: best
metric: dev/score@last
rows: [{label: best}]
columns: [{label: score}]
direction: max
seeds: 2
===
$ rethink run s.yaml --quiet
$ rethink table s --format csv > folder.csv
$ rethink db snapshot copy.db
copy.db: <any>
$ rethink table s --format csv --store copy.db | cmp - folder.csv
$ rethink db snapshot 'a b.db'
a b.db: read it with --store 'a b.db', or with sqlite3 -readonly
$ rethink query "SELECT count(*) AS done FROM trial WHERE state = 'done'" --format csv --store copy.db
done
5

$ rethink why s best score --store copy.db
--store: got copy.db, a snapshot of a database; `why` needs the folder of the store; these commands read a snapshot: claims, curve, figure, query, report, show, table
[exit 2]

$ rethink db check --store copy.db
SQLite finds the snapshot sound; it has no folders to compare it with

$ rethink db snapshot nowhere/copy.db
nowhere/copy.db: cannot create: No such file or directory
[exit 3]

# A damaged snapshot has no folders from which it could be made again.
$ printf 'xxxx' | dd of=copy.db bs=1 seek=4104 conv=notrunc status=none; for words in "query --by tag --show n" "db check"; do rethink $words --store copy.db; echo "exit $?"; done
copy.db: the snapshot is damaged (page 2 does not have its checksum); take another snapshot of its store: rethink db snapshot FILE --store FOLDER_OF_THE_STORE
exit 3
copy.db: the snapshot is damaged (page 2 does not have its checksum); take another snapshot of its store: rethink db snapshot FILE --store FOLDER_OF_THE_STORE
exit 3
