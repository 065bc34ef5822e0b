# Trials that diverge are counted and named, and every mean says that it lacks them.
=== hot.yaml
sweep: hot
seeds: [0, 1]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 8
    steps: 20
    log_every: 5
    divergence: {factor: 1.5, steps: 5}
    evaluate: {splits: [dev, test], keep: best}
    grid: {optimizer.lr: [0.003, 50]}
  best:
    job: select
    needs: {from: lm}
    over: [optimizer.lr]
    by: dev/score
resources: {device: cpu, threads: 1}
===
=== plots/tables/hot.yaml
table: hot
sweep: hot.yaml
stage: lm
metric: test/perplexity@best
rows: {axis: optimizer.lr}
columns: [{label: language}]
direction: min
seeds: 2
test: {baseline: 0.003}
===
=== plots/tables/best.yaml
table: best
sweep: hot.yaml
stage: best
metric: test/perplexity@best
rows: [{label: best}]
columns: [{label: language}]
direction: min
seeds: 2
===
$ rethink run hot.yaml --slots 1
started   <id>  lm optimizer.lr=0.003 seed 0
done      <id>  lm optimizer.lr=0.003 seed 0  <t>  test/perplexity@best <n>
...
diverged  <id>  lm optimizer.lr=50 seed 1  <t>
...
diverged, 2 trials
  <id>  lm optimizer.lr=50 seed 0
  <id>  lm optimizer.lr=50 seed 1
3 of 5 trials done, 2 diverged
a diverged trial would diverge again, to the same bits: change its settings, first to a smaller learning rate; a retry does not help
[exit 1]

$ rethink status
hot: 3 of 5 done, 2 diverged
  diverged<any> the loss has been above <any>
...
no driver is running

# The first sign of the divergence is shown beside the state.
$ rethink why $(rethink query "SELECT id FROM trial WHERE state = 'diverged' LIMIT 1" --format csv | tail -1) | grep -E '^trial|^  diverged|at step'
trial <id>: diverged, job lm, seed <n>
  diverged: the loss has been above <any>
  train/<any> was <n> at step <n>, median before <n>
...

# A value that is not finite is named as such. The metric's name is that of the store.
=== endless.yaml
sweep: endless
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    optimizer: {lr: 1.0e+20}
    batch: 8
    steps: 4
    evaluate: {splits: [dev], keep: last}
resources: {device: cpu, threads: 1}
===
# Its time is unknown, and the estimate says what it does not include.
$ rethink plan endless.yaml --store endless | grep -A1 '^estimated training'
estimated training time in one slot, <any>; start and evaluation are not included. <any>
  endless lm: <any> FLOPs, under a minute<any>

$ rethink run endless.yaml --store endless --quiet; rethink query "SELECT id FROM trial" --store endless --format csv | tail -1 >id; rethink why $(cat id) --store endless | sed -n '2,3p'
...
  diverged: the loss is nan at step 4
  train/step_loss was not finite at step 2, median before <n>

$ rethink show $(cat id) --store endless | sed -n '/What left/,/^Sweeps/p' | grep step_loss; rethink show $(cat id) --store endless | sed -n '/^Final/,/^Measure/p' | grep step_loss
train/step_loss <any> not finite <any>
train/step_loss <any> not finite <any>

# The score of the view `runs` is the last one.
$ rethink query "SELECT r.score = m.value AS same FROM runs r JOIN metric m ON m.trial = r.trial AND m.split = 'test' AND m.name = 'score@last' WHERE r.state = 'done'" --format csv
same
1
1

$ rethink query --by optimizer.lr --show 'mean(test/score), n' --format csv
optimizer.lr,mean(test/score),n,diverged
0.003,<n>,2,0
50.0,,0,2

$ rethink table hot
hot

          language ↓
────────────────────
0.003  <n> ± <n>
50      diverged [a]
────────────────────
[a] 2 of 2 seeds diverged
no profile; mean ± standard deviation over 2 seeds; Δ: difference to 0.003
the t-test assumes normal differences; a permutation test, which does not, gives no p below 0.5 with 2 seeds; in the spec, test: {kind: paired_bootstrap} compares over test items instead

$ rethink why best best language
best, row best, column language: <n> ± <n> (sd), 2 of 2 seeds
  value: test/perplexity@best
  seed 0: <n>
  seed 1: <n>

chosen by trial <id>
Candidates, by their mean dev/score over seeds
candidate              mean  n  diverged  chosen
──────────────────  ───────  ─  ────────  ──────
optimizer.lr=0.003  <n>  2         0  yes
optimizer.lr=50              0         2

trial <id>: done, job lm, seed 0
...

# The printed command has the same choices as `run`, completely.
$ rethink table hot --set steps=10 --seeds 0
...
NOT COMPLETE: 2 of 2 cells wait for trials, 2 of 2 trials are not done; run them with: rethink table hot --run --set steps=10 --seeds 0
--set steps=10 --seeds 0; Δ: difference to 0.003
[exit 1]

$ rethink table hot --run --quiet --set steps=10 --seeds 0 && rethink query "SELECT count(*) AS trials FROM trial WHERE json_extract(configuration, '$.steps') = 10" --format csv
...
trials
2

# After a retry an attempt still shows how it diverged.
$ rethink query "SELECT id FROM trial WHERE state = 'diverged' ORDER BY id LIMIT 1" --format csv | tail -1 > hot.txt; rethink retry $(cat hot.txt) > retried.txt; rethink show $(cat hot.txt) | grep -E '^state|: the loss'
state   ready
<any>1  diverged<any>diverged: the loss has been above <any>

$ rethink why $(cat hot.txt) | grep -E '^  attempt|^  train/'
  train/<any> at step <any>
...
  attempt 1: diverged, <any>: diverged: the loss has been above <any>
