# A table and a figure with the same `over` show the same mean, spread and number of seeds.
=== f.yaml
sweep: f
seeds: [0, 1, 2]
stages:
  t: {job: noop, steps: 6, grid: {tag: [a, b], sleep_ms: [0, 1]}}
===
=== plots/figures/c.yaml
figure: c
kind: curves
sweep: f.yaml
stage: t
metric: train/loss
over: [sleep_ms]
spread: sem
series: [{axis: tag}]
===
=== plots/tables/c.yaml
table: c
sweep: f.yaml
stage: t
metric: train/loss@tail
over: [sleep_ms]
spread: sem
rows: [{axis: tag}]
===
$ rethink run f.yaml --quiet
$ rethink figure c > files; grep -c 'mean ± standard error over 3 seeds' out/figures/c.gp
1
$ awk '$1 == 6 { printf "%.6f %.6f %s\n", $2, ($4 - $3) / 2, $5 }' out/figures/c.dat > figure; cat figure
<n> <n> 3
<n> <n> 3
$ rethink table c --format csv | awk -F, 'NR > 1 { printf "%.6f %.6f %s\n", $6, $7, $9 }' | cmp - figure
