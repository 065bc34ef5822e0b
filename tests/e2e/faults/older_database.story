# A database from a backup is older than its store: the next command that writes notices this, and makes it again.
=== a.yaml
sweep: a
seeds: [0]
stages:
  train: {job: noop, steps: 3}
=== b.yaml
sweep: b
seeds: [1]
stages:
  train: {job: noop, steps: 3}
===
$ rethink run a.yaml --quiet && cp store/rethink.db old.db && rethink run b.yaml --quiet && rethink query 'SELECT * FROM metric ORDER BY 1, 2, 3, 4' --format csv > before
$ rm -f store/rethink.db*; cp old.db store/rethink.db; rethink db check
database: it is older than the store, as where a backup was put back; the next command that writes makes it again
trial <id>: has a folder but no rows
`rethink db rebuild` rebuilds the rows from the folders
[exit 1]
$ rethink run a.yaml --quiet
<any> warning <any>/rethink.db: is older than the store, as where a backup was put back; the database was made again from the trials' folders, and the older one is now <any>/rethink.db.damaged-1, which `rethink gc` removes
$ rethink query 'SELECT * FROM metric ORDER BY 1, 2, 3, 4' --format csv | cmp - before; rethink db check --hashes; rethink run a.yaml --quiet
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# A count that cannot be read proves nothing, and neither does a missing one; something that is not a file stays, and is named.
$ for damage in 'echo x > store/writes' 'rm store/writes' 'ln -sf ../old.db store/writes' 'rm store/writes; mkfifo store/writes'; do sh -c "$damage"; rethink run a.yaml --quiet; rethink db check --hashes; done; rm store/writes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
note: store/writes: does not count transactions, so that no command notices a database from a backup; remove it: the next command that writes makes the file anew
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again, except for what the notes list
note: store/writes: does not count transactions, so that no command notices a database from a backup; remove it: the next command that writes makes the file anew
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again, except for what the notes list
