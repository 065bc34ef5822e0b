# --seeds replaces a sweep's seeds; a stage with its own seeds keeps them, which each command says once.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
profiles:
  own: {stages: {train: {seeds: [2, 3]}}}
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
$ rethink plan s.yaml --seeds 0..4 2>&1 > /dev/null; rethink plan s.yaml --profile own --seeds 0..4 2>&1 > /dev/null | grep note
<any>s.yaml: note: --seeds has no effect on stage 'train', which has seeds of its own: 2, 3
$ rethink claims c --profile own --seeds 3 2>&1 > /dev/null | grep note
<any>s.yaml: note: --seeds has no effect on stage 'train', which has seeds of its own: 2, 3
$ rethink table t --profile own --seeds 3 2>&1 > /dev/null | grep note
<any>s.yaml: note: --seeds has no effect on stage 'train', which has seeds of its own: 2, 3
$ rethink run s.yaml --profile own --seeds 3 --quiet 2>&1 | grep note
<any>s.yaml: note: --seeds has no effect on stage 'train', which has seeds of its own: 2, 3
