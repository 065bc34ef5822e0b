# Claims whose trials read missing weights name the command that brings these; `--run` runs the other claims.
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
=== w.yaml
sweep: w
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, needs: {init: {file: weights/none}}, grid: {tag: [a, b]}}
=== r.yaml
sweep: r
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, needs: {init: {file: weights/none, waits_for: "the rates, which the pilot chooses"}}, grid: {tag: [a, b]}}
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
sweep: w.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/tables/v.yaml
table: v
title: V
sweep: r.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/c.yaml
claims: c
looks: {5: 0.05}
list:
  - {claim: one, says: s, table: t, test: better, row: a, than: b}
  - {claim: two, says: s, table: u, test: better, row: a, than: b}
=== plots/claims/d.yaml
claims: d
looks: {5: 0.05}
gates:
  arms: {table: u, row: a, than: b}
list:
  - {claim: three, says: s, table: t, test: better, row: a, than: b, gate: arms}
=== plots/claims/e.yaml
claims: e
looks: {5: 0.05}
list:
  - {claim: four, says: s, table: v, test: better, row: a, than: b}
===
$ rethink claims c | grep NOT
NOT COMPLETE: 1 of 2 claims need data that is not here; name its folder with --data or RETHINK_DATA, or get it: weights/none by `make weights` or `rethink import`
NOT COMPLETE: 1 of 2 claims wait for trials; run them with: rethink claims c --run

$ rethink claims c --run --quiet | grep NOT
NOT COMPLETE: 1 of 2 claims need data that is not here; name its folder with --data or RETHINK_DATA, or get it: weights/none by `make weights` or `rethink import`

$ rethink query 'select count(*) from trial' --format csv | tail -n 1
10

# A gate's pilot lacks the weights, and the claim itself does not.
$ rethink claims d --run --quiet > told; echo $?; grep NOT told
1
NOT COMPLETE: 1 of 1 claims need data that is not here; name its folder with --data or RETHINK_DATA, or get it: weights/none by `make weights` or `rethink import`

# A stage that waits for choices of its sweep is refused with this reason.
$ rethink plan r.yaml
<any>r.yaml:4:<any>error: stage 'train' may not run yet: it waits for the rates, which the pilot chooses; when the sweep has it, remove `waits_for`
...
[exit 2]
$ rethink claims e --run --quiet > told; echo $?; grep -o 'get it: .*' told
1
get it: the rates, which the pilot chooses<any>
