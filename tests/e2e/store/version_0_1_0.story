# A store of version 0.1.0 (tests/fixtures/version_0_1_0: done, failed, interrupted and cancelled trials, a select of
# two seeds) opens, resumes, rebuilds and renders. No finished file is rewritten, and damage is found even without
# checksums.
=== plots/tables/old.yaml
table: old
title: of version 0.1.0
sweep: arms.yaml
stage: train
rows: [{label: A, where: {tag: a}}, {label: B, where: {tag: b}}]
columns: [{label: score, metric: dev/score}]
direction: max
seeds: 2
===
$ cp -r $FIXTURES/version_0_1_0/kept old && cp $FIXTURES/version_0_1_0/*.yaml . && find old -name '*.json' | sort | xargs sha256sum > before
$ rethink status --store old
arms: 7 of 9 done, 2 failed
  failed, 2 trials: fail_at: step 3 fails
    507102941999179d334b  broken seed 0  0.0 s
    429b4e8a32f0d121b25b  broken seed 1  0.0 s
gone: 0 of 1 done, 1 cancelled
long: 0 of 1 done, 1 ready
<any>
no driver is running
$ rethink db check --hashes --store old
16 files of version 0.1.0 without a checksum, checked member by member
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
# A bit changes in its database, which has no checksums: readers say so, and a rebuild makes it again.
$ cp -r old bit && printf '\000' | dd of=bit/rethink.db bs=1 seek=63 conv=notrunc 2> /dev/null; rethink status --store bit
<any>bit/rethink.db: the database is damaged (format 0, which no version writes); `rethink db rebuild --store <any>bit<any>` makes it again from the trials' folders
[exit 3]
$ rethink db rebuild --store bit && ls bit | grep rethink.db
the old database could not be read; it is now <any>bit/rethink.db.damaged-1, which `rethink gc --store <any>bit<any>` removes
11 trials, 3 sweeps
rethink.db
rethink.db.damaged-1
$ rethink db check --store bit && rm -r bit
...

$ rethink run long.yaml --store old
<any>old/rethink.db: had no checksums and was made again from the trials' folders; the old one is now <any>old/rethink.db.format1
started   0ac643ea438505caf443  long seed 0
goes on   0ac643ea438505caf443  long seed 0 from step <n> of 30
done      0ac643ea438505caf443  long seed 0  <t>  dev/score@last 0.27182
1 of 1 trials done
next: rethink table <any> or rethink figure <any>
$ rethink retry arms --store old; rethink run arms.yaml --store old --quiet | tail -n 1
2 trials may run again
...
$ rethink query 'SELECT state, count(*) AS n FROM runs GROUP BY state' --store old --format csv
state,n
cancelled,1
done,8
failed,2
$ rm old/rethink.db; rethink db rebuild --store old && rethink db check --hashes --store old
11 trials, 3 sweeps
<n> files of version 0.1.0 without a checksum, checked member by member
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rethink table old --path . --store old --format csv
table,<any>
old,,A,score,dev/score@last,0.23813979752174286,<any>
old,,B,score,dev/score@last,0.5221862157221218,<any>
$ cut -d' ' -f 3 before | grep -v 'state.json\|/sweeps/\|\(507102941999179d334b\|429b4e8a32f0d121b25b\)/attempt-1/end.json' | xargs sha256sum | diff - before | grep '^<'
[exit 1]

# Files without checksums have a changed digit, a wrong word and a misspelt member.
$ cd old/trials && sed -i 's/"dev\/score":0.08/"dev\/score":0.98/' 9e9a*/result.json && rethink db check --hashes --store ..
trial <id>: <any>/result.json is damaged (metrics: not what its events say); `rethink retry <id> --store ..` and the next run of its sweep make it again; a rebuild before that loses its numbers
<any> files of version 0.1.0 without a checksum, checked member by member
[exit 1]
$ cd old/trials && sed -i 's/"done"/"dnoe"/' 9e9a*/result.json && rethink db check --store ..
trial <id>: <any>/result.json is damaged (outcome: got "dnoe", expected one of done, diverged); the next run of its sweep makes it again; a rebuild before that loses its numbers
<any> files of version 0.1.0 without a checksum, checked member by member
[exit 1]
$ rethink run arms.yaml --store old 2>&1 | grep -v broken
lost      <id>  train tag=a seed 0: its result.json is damaged (outcome: got "dnoe", expected one of done, diverged); the trial runs again<any>
started   <id>  train tag=a seed 0
done      <id>  train tag=a seed 0  <t>  dev/score@last 0.0814958
...
$ rethink db check --hashes --store old
<any> files of version 0.1.0 without a checksum, checked member by member
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# After a changed digit a cancelled trial would run again.
$ cp -r $FIXTURES/version_0_1_0/kept cc; sed -i 's/"cancelled":\["39edc8/"cancelled":["39edc9/' cc/sweeps/*.json; rethink db check --store cc
cc/sweeps/723e8f722e70bcfbdcd6.json is damaged and was left out; running its sweep again with the same options writes it anew
<n> files of version 0.1.0 without a checksum, checked member by member
[exit 1]
$ rethink run gone.yaml --store cc --max-trials 0 2>&1 | grep -c 'cc/sweeps/723e8f722e70bcfbdcd6.json is damaged and was left out'
1
