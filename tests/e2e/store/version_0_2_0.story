# A store of version 0.2.0 (tests/fixtures/version_0_2_0: done, failed, interrupted and cancelled trials, a select of
# two seeds) opens, resumes, rebuilds and renders, and no finished file is rewritten.
=== plots/tables/old.yaml
table: old
title: of version 0.2.0
sweep: arms.yaml
stage: train
rows: [{label: A, where: {tag: a}}, {label: B, where: {tag: b}}]
columns: [{label: score, metric: dev/score}]
direction: max
seeds: 2
===
$ cp -r $FIXTURES/version_0_2_0/kept old && cp $FIXTURES/version_0_2_0/*.yaml . && find old -name '*.json' | sort | xargs sha256sum > before
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
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

$ rethink run long.yaml --store old
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
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rethink table old --path . --store old --format csv
table,<any>
old,,A,score,dev/score@last,0.23813979752174286,<any>
old,,B,score,dev/score@last,0.5221862157221218,<any>
$ cut -d' ' -f 3 before | grep -v 'state.json\|/sweeps/\|\(507102941999179d334b\|429b4e8a32f0d121b25b\)/attempt-1/end.json' | xargs sha256sum | diff - before | grep '^<'
[exit 1]
