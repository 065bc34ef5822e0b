# `claims --run` runs pilots first, stops where a gate is closed, and takes no more seeds than the next look of an undecided claim.
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3, 4, 5, 6, 7]
stages:
  train: {job: noop, grid: {tag: [a, b, c]}}
=== behind.yaml
sweep: behind
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, grid: {tag: [d, e]}}
=== pilot.yaml
sweep: pilot
seeds: [100, 101, 102]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
=== plots/tables/t.yaml
table: t
title: T
sweep: s.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/tables/u.yaml
table: u
title: U
sweep: behind.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/tables/g.yaml
table: g
title: G
sweep: pilot.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== fails.yaml
sweep: fails
seeds: [100, 101, 102]
stages:
  train: {job: noop, fail_at: 1, grid: {tag: [a, b]}}
=== plots/tables/h.yaml
table: h
title: H
sweep: fails.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/e.yaml
claims: e
looks: {5: 0.05}
gates:
  arms: {table: h, row: a, than: b}
list:
  - {claim: three, says: s, table: u, test: better, row: d, than: e, gate: arms}
=== few.yaml
sweep: few
seeds: [0, 1]
stages:
  train: {job: noop, grid: {tag: [f, g]}}
=== plots/tables/f.yaml
table: f
title: F
sweep: few.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/d.yaml
claims: d
looks: {5: 0.05}
list:
  - {claim: four, says: s, table: f, test: better, row: f, than: g}
=== plots/claims/c.yaml
claims: c
looks: {5: 0.025, 8: 0.025}
gates:
  shut: {table: g, row: a, than: b}
list:
  - {claim: one, says: s, table: t, test: better, row: a, than: b}
  - {claim: two, says: s, table: u, test: better, row: d, than: e, gate: shut}
===
$ rethink claims c --run --quiet --format csv | cut -d, -f 2,3 ; rethink query 'select distinct seed from trial order by seed' --format csv | tr '\n' ' '
claim,verdict
one,undecided
two,not at this scale
seed 0 1 2 3 4 100 101 102 
$ rethink query 'select count(*) from trial' --format csv | tail -n 1
21
$ rethink claims c --run --quiet --format csv | cut -d, -f 2,3 ; rethink query 'select count(*) from trial' --format csv | tail -n 1
claim,verdict
one,undecided
two,not at this scale
30

# A failed pilot is named with the command that runs it again; the claim that depends on it starts nothing.
$ rethink claims e --run --quiet > told; grep 'rethink retry' told
<any>rethink retry <any>
$ rethink query "select count(*) from trial where state = 'done'" --format csv | tail -n 1
30

# Trials that no look reads do not run: the plan has two seeds, and the look needs five.
$ rethink claims d --run --quiet > told; echo $?; grep -o 'NOT.*\|1 of 1 claims stay.*' told
1
NOT COMPLETE: 1 of 1 claims lack trials, which would decide none of them
1 of 1 claims stay undecided, whatever trials run: fewer seeds are planned than their next look takes
$ rethink query "select count(*) from trial where state = 'done'" --format csv | tail -n 1
30
