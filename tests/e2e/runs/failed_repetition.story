# A trial that runs again for its weights keeps its earlier result if the repetition does not succeed: every reader
# reports this, trials that need the weights do not run, and a merge copies the result.
=== p.yaml
sweep: p
seeds: [0, 1]
stages:
  pre: {job: noop, steps: 20, sleep_ms: 100}
=== c.yaml
sweep: c
seeds: [0, 1]
limits: {time: 1s}
stages:
  pre: {job: noop, steps: 20, sleep_ms: 100}
  next: {job: noop, needs: {init: pre}, steps: 2, tag: z}
=== plots/tables/t.yaml
table: t
title: T
sweep: p.yaml
stage: pre
metric: dev/score@last
spread: none
rows: {axis: stage}
columns: [{label: x}]
===
$ rethink run p.yaml --quiet --slots 2 && rethink query --by stage --show 'mean(dev/score), n' --where stage=pre --format csv > before
$ rethink run c.yaml --quiet --slots 2 2>&1 | grep 'worked longer than 1 s'
failed, 2 trials: worked longer than 1 s<any>
$ rethink status | head -n 1
c: 0 of 4 done, 2 failed, 2 blocked
$ rethink query --by stage --show 'mean(dev/score), n' --where stage=pre --format csv 2>said | cmp - before; cat said
note: 2 trials count with an earlier result: run again to restore their files, they ended without a new result (2 failed); `rethink status` says why
$ rethink db rebuild && rethink db check --hashes && rethink query --by stage --show 'mean(dev/score), n' --where stage=pre --format csv --quiet | cmp - before
4 trials, 2 sweeps
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ for folder in store/trials/*/repetition; do echo half >$folder/weights.safetensors; done
$ rethink db merge store --store other && find other -name repetition && rethink gc && find store -name repetition && rethink db check --hashes --store other && rethink query --by stage --show 'mean(dev/score), n' --where stage=pre --format csv --store other | cmp - before
2 trials added, 0 already known, 2 unfinished or running; 2 sweeps changed
removed <any> MB in 2 places
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rethink retry c && rethink run p.yaml --quiet --slots 2 && rethink query --by stage --show 'mean(dev/score), n' --where stage=pre --format csv | cmp - before
2 trials may run again<any>
