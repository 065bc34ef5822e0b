# A user plans, runs, looks, runs again, queries and renders.
=== rates.yaml
sweep: rates
seeds: [0, 1]
stages:
  train:
    job: noop
    steps: 3
    cases:
      rate:
        1: {tag: a}
        2: {tag: b}
===
=== plots/tables/rates.yaml
table: rates
sweep: rates.yaml
stage: train
metric: dev/score@last
rows: {axis: rate, order: [1, 2]}
columns: [{label: score}]
direction: max
seeds: 2
===
=== plots/figures/rates.yaml
figure: rates
sweep: rates.yaml
stage: train
metric: dev/score@last
seeds: 2
x: {axis: rate, label: rate}
y: {label: score}
series: [{label: noop}]
===
$ rethink plan rates.yaml
stage                      trials distinct     done  running    ended   to run
rates train                     4        4        0        0        0        4  time and disk unknown

to run
...

# Options may stand before the command.
$ rethink --store store run rates.yaml --slots 1
started   <id>  train rate=1 seed 0
done      <id>  train rate=1 seed 0  <t>  dev/score@last 0.639364
started   <id>  train rate=1 seed 1
done      <id>  train rate=1 seed 1  <t>  dev/score@last 0.904565
started   <id>  train rate=2 seed 0
done      <id>  train rate=2 seed 0  <t>  dev/score@last 0.319845
started   <id>  train rate=2 seed 1
done      <id>  train rate=2 seed 1  <t>  dev/score@last 0.147673
4 of 4 trials done
next: rethink table rates

$ rethink run rates.yaml
4 of 4 trials done
next: rethink table rates

$ rethink status
rates: 4 of 4 done
no driver is running

$ rethink query --by rate --show 'mean(dev/score)' --format csv
rate,mean(dev/score)
1,<n>
2,<n>

$ rethink query "SELECT state, count(*) AS trials FROM trial GROUP BY state" --format csv
state,trials
done,4

$ rethink table rates
rates

         score ↑
────────────────
1  ▸ 0.77 ± 0.19
2    0.23 ± 0.12
────────────────
▸ best of its column
no profile; mean ± standard deviation over 2 seeds

$ rethink figure rates
out/figures/rates.svg
...

# The done trials of a stage give the expected time of others; the endings of other trials are shown too.
$ rethink plan rates.yaml --seeds 0..2
stage                      trials distinct     done  running    ended   to run
rates train                     6        6        4        0        0        2  under a minute of one slot, <any>

to run
...

$ rethink db rebuild
...

$ rethink run rates.yaml --quiet
