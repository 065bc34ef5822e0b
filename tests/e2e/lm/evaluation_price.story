# Cost of evaluation: test only at the end, a part of dev during training, and its share of the time in `plan`.
=== s.yaml
sweep: s
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 8
    evaluate: {splits: [dev, test], every: 2, keep: best}
resources: {device: cpu, threads: 1}
===
=== tables/t.yaml
table: t
sweep: s.yaml
stage: lm
metric: test/score
rows: [{label: ours}]
direction: min
seeds: 1
===
=== points
rethink query "SELECT split, count(DISTINCT step) AS points FROM metric WHERE name = 'score' GROUP BY split ORDER BY split" --format csv "$@"
===
=== finals
rethink query "SELECT split || '/' || name AS metric, value FROM metric WHERE name LIKE '%@%' ORDER BY 1" --format csv "$@"
===
$ rethink run s.yaml --quiet; sh points
split,points
dev,4
test,1

# Testing at each evaluation gives a curve, the same trial and the same final numbers.
$ rethink plan s.yaml --set stages.lm.evaluate.test=each 2>/dev/null | sed -n 2p
s lm                            1        1        1        0        0        0

# A done trial with a test at the end is not evaluated again, and both commands say so.
$ rethink run s.yaml --set stages.lm.evaluate.test=each 2>&1 | grep 'test curve\|tested'; rethink plan s.yaml --set stages.lm.evaluate.test=each 2>&1 >/dev/null | grep -c 'tested at the end'
s.yaml: note: 1 done trial of stages with `evaluate.test: each` was tested at the end alone and is not evaluated again; for a curve of test, train it again: rethink rm <id>, then run the sweep
1

$ rethink plan s.yaml --set stages.lm.evaluate.dev_examples=20 --set stages.lm.evaluate.keep=last 2>&1 | grep -o 'after training .*'
after training all of dev is measured with the last and the best weights, and keep: last does not keep the best: write keep: best, or leave dev_examples out

$ rethink run s.yaml --quiet --set stages.lm.evaluate.test=each --store each; sh points --store each
split,points
dev,4
test,4

$ rethink run s.yaml --quiet --set stages.lm.evaluate.test=each --store each 2>&1

$ sh finals >end; sh finals --store each | cmp - end; grep -c '^dev\|^test' end
16

# A part of dev during training makes another trial, which may keep other weights; its final numbers are of all of dev.
$ rethink run s.yaml --quiet --set stages.lm.evaluate.dev_examples=20 --store part; sh finals --store part | cmp - end; sh points --store part
split,points
dev,4
test,1

$ for store in store part; do rethink query "SELECT value FROM metric WHERE split = 'dev' AND name = 'loss' AND step = 2" --store $store --format csv | tail -1; done | uniq | wc -l
2

$ rethink plan s.yaml --set stages.lm.evaluate.dev_examples=20 | sed -n 2p
s lm                            1        1        0        0        0        1  time and disk unknown

# The plan of another seed has the share of trials that ran.
$ rethink plan s.yaml --seeds 1 | sed -n 2p
s lm                            1        1        0        0        0        1  <any>; <n> % of the time is evaluation

# The score has the name of its metric.
$ rethink table t
t

<any>score<any>
...
score: perplexity
