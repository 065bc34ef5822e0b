# Means and ratios of columns: a name must mean one column, or all columns of an axis once.
=== g.yaml
sweep: g
seeds: [0, 1]
stages:
  t: {job: noop, grid: {tag: [a, b], steps: [1, 10, 20]}}
===
=== plots/tables/axis.yaml
table: axis
sweep: g.yaml
stage: t
metric: dev/score
rows: {axis: tag}
columns: [{axis: steps}, {label: B, where: {steps: 20}}, {label: r, ratio: [steps, B]}]
===
=== plots/tables/alike.yaml
table: alike
sweep: g.yaml
stage: t
metric: dev/score
rows: {axis: tag}
columns:
  - {label: A, where: {steps: 1}}
  - {label: A, where: {steps: 10}}
  - {label: B, where: {steps: 20}}
  - {label: mean, mean_of: [A, A, B]}
===
=== plots/tables/numbers.yaml
table: numbers
sweep: g.yaml
stage: t
metric: dev/score
rows: {axis: tag}
columns: [{axis: steps}, {label: mean, mean_of: [1.0, 1e1]}, {label: r, ratio: [1e0, 10.0]}]
===
$ rethink run g.yaml --quiet
$ rethink table axis
<any>axis.yaml:6:77: error: ratio: axis 'steps' has 3 columns, expected one; name the column: 1, 10, 20
...
[exit 2]
$ rethink table alike 2>&1 | grep -o 'alike.yaml:.*'
alike.yaml:10:29: error: mean_of: the table has 2 columns 'A'; give each a label of its own
alike.yaml:10:32: error: mean_of: the table has 2 columns 'A'; give each a label of its own
$ rethink table numbers --format csv | awk -F, 'NR > 1 { v[NR] = $6 } END { exit (v[5] - (v[2] + v[3]) / 2)^2 > 1e-18 }'
