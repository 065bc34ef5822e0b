# `plan` names seeds and axes that nothing in the program reads, and a sweep without metrics.
=== train.py
print("step 1 acc=0.5")
===
=== own.yaml
sweep: own
seeds: [0, 1, 2]
stages:
  train:
    job: command
    run: [sh, train.py]
    code: [train.py]
    grid: {config.lr: [0.1, 0.3]}
===
$ rethink plan own.yaml 2>&1 >/dev/null
own.yaml:4:3: note: nothing in `run`, `env` or the code of stage 'train' reads the seed, so that its 3 seeds have no effect; write "{seed}" into `run`, or read RETHINK_SEED or rethink.seed() in the program
own.yaml:4:3: note: nothing in `run`, `env` or the code of stage 'train' reads config.lr, so that its 2 values have no effect; write "{config.lr}" into `run`, or read RETHINK_CONFIG or rethink.config() in the program
own.yaml:4:3: note: the sweep names no metric, so that tables and figures have nothing to show; write `metrics: {dev/acc: max}` into stage 'train', with a metric that the program reports

$ sed -i "s/train.py\]$/train.py, \"{seed}\", \"{config.lr}\"]/; s/^    grid/    metrics: {dev\/acc: max}\n    grid/" own.yaml; sed -i 's/code: .*/code: [train.py]/' own.yaml; rethink plan own.yaml 2>&1 >/dev/null
