# What `rethink claims` is given: files twice, stores that are not there, mistakes that only --run would meet.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
=== plots/tables/t.yaml
table: t
title: T
sweep: s.yaml
stage: train
metric: dev/score@last
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/c.yaml
claims: c
list:
  - {claim: one, says: s, table: t, test: better, row: a, than: b}
===
$ rethink claims c plots/claims/c.yaml c --format csv | grep -c ,one,
1
$ rethink claims c --store none 2>&1 > /dev/null
none: there is no store here: nothing has run
[exit 1]
$ rethink claims c --device gpu
<any>--device: <any>
[exit 2]
$ rethink claims c --executor foo
--executor: got 'foo', expected local
[exit 2]
$ rethink claims --help | grep -A 1 'Ends with 0'
Ends with 0 where each claim has what it needs, whatever its verdict; with 1 where claims wait for
trials or lack values, which is said below them; with 2 where a table cannot be made.

