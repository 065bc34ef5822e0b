# Rows that `why` names: quotes make text, and a name must fit one row.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train:
    job: noop
    steps: 2
    cases:
      size: {1: {tag: a}, 1.0: {tag: b}, 3: {tag: c}, "'4'": {tag: d}}
  counted:
    job: noop
    grid: {steps: [1, 2]}
===
=== plots/tables/counted.yaml
table: counted
title: Counted
sweep: s.yaml
stage: counted
rows: {axis: steps, labels: {1: one step}}
columns: [{label: x, metric: dev/score}]
direction: max
seeds: 1
===
=== plots/tables/t.yaml
table: t
title: t
sweep: s.yaml
stage: train
rows: {axis: size, order: [1, 1.0, 3, "'4'"], labels: {1: one}}
columns: [{label: x, metric: dev/score}]
direction: max
seeds: 1
===
$ rethink run s.yaml --quiet
$ rethink why t
rethink why t: expected a row and a column behind it
rows: 1, 1.0, 3, <any>4<any>
columns: x
for example: rethink why t 1 x
[exit 2]
$ rethink why t one x
the table has 2 rows 'one'; give the value of one as it is written: 1, 1.0
[exit 2]
$ rethink why t 1.0 x | sed -n '/^trial/,/stage/p'
trial <id>: done, job noop, seed 0
  sweep s, no profile, stage train: size=1.0

$ rethink why t '"1"' x | sed -n '/^trial/,/stage/p'
trial <id>: done, job noop, seed 0
  sweep s, no profile, stage train: size=1

$ rethink why t 3.0 x | head -1
t, row 3, column x: <n>, 1 of 1 seed
$ rethink why t '"3.0"' x
the table has no row '"3.0"'; it has: one, one, 3, '4'
[exit 2]
$ rethink why t "'3'" x | head -1
t, row 3, column x: <n>, 1 of 1 seed

# The quotes are a part of the label.
$ rethink why t "'4'" x | head -1
t, row '4', column x: <n>, 1 of 1 seed
$ rethink why t 1e0 x
the table has 2 rows '1e0'; give the value of one as it is written: 1, 1.0
[exit 2]

# An option that is a number is not text.
$ rethink why counted 1.0 x | head -1
counted, row one step, column x: <n>, 1 of 1 seed
$ rethink why counted '"1"' x
the table has no row '"1"'<any>; it has: one step, 2
[exit 2]
