# Diagnostics that explain a training, beside its loss, and every step of a training that diverged.
=== s.yaml
sweep: s
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 2, d_model: 16, ffn: 32}
    batch: 16
    steps: 8
    log_every: 2
    evaluate: {splits: [dev]}
resources: {device: cpu, threads: 1}
===
$ rethink run s.yaml --quiet; rethink query "SELECT name, count(*) AS points, min(step) AS first, max(step) AS last FROM metric WHERE split = 'train' GROUP BY name ORDER BY name" --format csv
name,points,first,last
attention_entropy_1,5,0,8
attention_entropy_2,5,0,8
attention_logit_1,5,0,8
attention_logit_2,5,0,8
gradient_norm,4,2,8
learning_rate,4,2,8
loss,4,2,8
parameter_norm,5,0,8

$ rethink query "SELECT count(*) AS points FROM measurement WHERE name = 'tokens_per_s'" --format csv
points
4

# They can be left out without changing the trial's identity.
$ rethink plan s.yaml --set stages.lm.diagnose_every=0 | sed -n 2p
s lm                            1        1        1        0        0        0

$ rethink run s.yaml --quiet --set stages.lm.diagnose_every=0 --store none; rethink query "SELECT DISTINCT name FROM metric WHERE split = 'train'" --store none --format csv
name
loss

$ for store in store none; do rethink query "SELECT value FROM metric WHERE name = 'loss' ORDER BY split, step" --store $store --format csv >$store.losses; done; cmp store.losses none.losses

# A trial whose loss stays too high keeps the steps before that, too.
$ rethink run s.yaml --quiet --set stages.lm.steps=120 --set stages.lm.optimizer.lr=50 --set stages.lm.clip=1 --set stages.lm.divergence='{factor: 1.5, steps: 100}' --store slow >/dev/null 2>&1; rethink query "SELECT count(*) AS steps FROM metric WHERE name = 'step_loss' AND step <= 2" --store slow --format csv
steps
2

# A trial that diverges keeps its last steps, and `show` and `why` name the first sign.
$ rethink run s.yaml --quiet --set stages.lm.optimizer.lr=50 --set stages.lm.clip=1 --set stages.lm.divergence='{factor: 1.5, steps: 4}' --store hot >/dev/null 2>&1; echo $?
1

$ rethink query "SELECT name, count(*) = max(step) AS each_step FROM metric WHERE name LIKE 'step_%' GROUP BY name ORDER BY name" --store hot --format csv
name,each_step
step_gradient_norm,1
step_loss,1

$ trial=$(rethink query 'SELECT id FROM trial' --store hot --format csv | tail -1); rethink show $trial --store hot | sed -n '/^What left/,/^$/p'; rethink why $trial --store hot | grep ' at step '
What left its course first, between the steps `from` and `step`
metric<any>step<any>before
──<any>
train/attention_logit_1 <any>
...

  diverged: the loss has been above <any>
  train/<any> was <n> at step 2<any>, median before <n>
...
