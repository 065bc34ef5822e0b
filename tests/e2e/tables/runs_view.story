# The view `runs` has a column for each axis and label, and for each final metric.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train:
    job: noop
    cases: {arm: {plain: {tag: a}, star: {tag: b}}}
    grid: {steps: [2, 3]}
===
$ rethink run s.yaml --quiet
$ rethink query 'SELECT arm, steps, "dev/score@last" = score AS same FROM runs ORDER BY arm, steps' --format csv
arm,steps,same
plain,2,1
plain,3,1
star,2,1
star,3,1

$ rethink query 'SELECT * FROM runs' --format csv | head -1
trial,job,state,seed,score,attempts,seconds,sweeps,message,steps,tag,arm,dev/score@last
