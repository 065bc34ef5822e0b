# Rows whose seeds have not all run: no output shows their numbers as final.
=== s.yaml
sweep: s
seeds: [0, 1, 2]
stages:
  train:
    job: noop
    steps: 2
    cases: {arm: {plain: {tag: a}, star: {tag: b}}}
===
=== tables/t.yaml
table: t
sweep: s.yaml
stage: train
metric: dev/score@last
rows: {axis: arm}
columns: [{label: score}]
direction: min
seeds: 3
test: {baseline: plain}
===
$ rethink run s.yaml --quiet --max-trials 4
4 of 6 trials run, 2 left (--max-trials 4); the same command continues

# The smaller number of one seed is not the best, and no test is made with it.
$ rethink table t
t

                            score ↓
                    n             Δ
───────────────────────────────────
plain  0.86 ± 0.13  3
star      0.37 [a]  1  1 of 3 seeds
───────────────────────────────────
[a] 2 of 3 seeds missing
NOT COMPLETE: 1 of 2 cells wait for trials, 2 of 6 trials are not done; run them with: rethink table t --run
...
[exit 1]

$ rethink table t --format csv | cut -d , -f 3,9,14,15,20
row,n,difference,delta,marks
plain,3,,,
star,1,,,missing;too few seeds

$ rethink table t --format latex --bare | sed -n '/^plain/,/^star/p'
plain & 0.86 $\pm$ 0.13 & 3 &  \\
star & 0.37 (1 of 3 seeds) & 1 & \textit{1 of 3 seeds} \\

$ rethink figure s.yaml >/dev/null 2>&1; grep -ho 'NOT ALL SEEDS[^"]*' out/figures/s/*.gp
NOT ALL SEEDS yet, so these may change: star (1 of 3 seeds)
NOT ALL SEEDS yet, so these may change: star (1 of 3 seeds)

# With all seeds it is the best number.
$ rethink run s.yaml --quiet; rethink table t
t

                    score ↓
                          Δ
───────────────────────────
plain    0.86 ± 0.13
star   ▸ 0.62 ± 0.26  -0.24
───────────────────────────
▸ best of its column
...

$ rethink table t --format latex --bare | sed -n '/^plain/,/^star/p'
plain & 0.86 $\pm$ 0.13 &  \\
star & \textbf{0.62 $\pm$ 0.26} & $-$0.24 \\

# A single one of the sweep's seeds is not compared either, however it was chosen; two are.
$ rethink table t --seeds 0
...
plain  <n>
star   <n>  1 of 3 seeds
...
too few seeds: got 1, wanted 3
...

$ rethink table s.yaml --set seeds=[0] --write-spec one.yaml 2>/dev/null | grep -c ▸; tail -1 one.yaml
0
seeds: 3

$ rethink table t --seeds 0 --format csv | cut -d , -f 3,9,14,15
row,n,difference,delta
plain,1,,
star,1,,

$ rethink table t --seeds 0,1 | sed -n '/^star/s/.* //p'
<n>
