# Two commands make a sweep from a script.
# not under BARE: it asks the script for its help
=== train.sh
if [ "$1" = --help ]; then
  cat <<END
usage: train.sh [-h] [--lr LR] [--steps STEPS]

options:
  -h, --help            show this help message and exit
  --lr LR               learning rate (default: 0.001)
  --batch-size BATCH_SIZE
                        sequences in a step (default: 8)
  --name NAME           of the run
  --adam-beta1 B1       first moment (default: 0.9)
  --betas BETA [BETA ...]
                        of both moments (default: 0.9 0.99)
  --mode {fast,slow}    how (default: fast)
  --seed SEED           of the draw (default: 0)
  --verbose             say more
END
  exit
fi
echo "$@"
===
$ rethink init train.sh
train.yaml
train.sh reports no metric that init can find: name its score by `metrics` in train.yaml, which tables and figures need
next: `rethink run train.yaml`; docs/how_to/command.md says how it reports metrics and checkpoints

$ sed 's/^/|/' train.yaml
|# What `rethink plan train.yaml` and `rethink run train.yaml` do; docs/how_to/command.md says the rest.
|sweep: train
|seeds: [0]
|stages:
|  train:
|    job: command
|    run: [sh, train.sh,
|      --lr, "{config.lr}",
|      --batch-size, "{config.batch_size}",
|      --adam-beta1, "{config.adam_beta1}",
|      --mode, "{config.mode}",
|      --seed, "{seed}",
|      # Flags, and options whose help says no default: take the # away; a value stands in `config`.
|      # --name, "{config.name}",   # of the run
|      # --betas, "{config.betas}",   # of both moments (default: 0.9 0.99)
|      # --verbose,   # say more
|      ]
|    code: [train.sh]   # and what it imports, such as "src/**/*.py"
|    config:
|      lr: 0.001
|      batch_size: 8
|      adam_beta1: 0.9
|      mode: fast
|      # name: ...
|      # betas: ...
|    # Tables need a score: take the # away and name a metric that the program appends to $RETHINK_EVENTS, and which is better.
|    # metrics: {dev/acc: max}
|    # Where it only prints the metric, also:
|    # stdout: {dev/acc: 'epoch {step} .*acc={value}'}
|    # Several values; delete the lr above:
|    # grid: {config.lr: [...]}

$ rethink run train.yaml --quiet && rethink logs $(rethink query "select id from trial" --format csv | tail -1) | grep -e --lr
--lr 0.001 --batch-size 8 --adam-beta1 0.9 --mode fast --seed 0

$ sed -i 's/# \(--verbose,\|--name,\|name:\)/\1/; s/name: \.\.\./name: mine/' train.yaml; rethink run train.yaml --quiet && rethink logs $(rethink query "select id from trial where configuration like '%mine%'" --format csv | tail -1) | grep -e --lr
--lr 0.001 --batch-size 8 --adam-beta1 0.9 --mode fast --seed 0 --name mine --verbose

# Without a score there is no table: the message explains how a program reports one.
$ rethink table train.yaml; rethink table train.yaml --stage train 2>&1 | grep -o 'write `metrics.*'; rethink figure train.yaml --stage train 2>&1 | grep -o 'write `metrics.*'
no stage of sweep train has a score to show; a table of your own names what it shows: docs/tables.md; the stages are: train; the score of a program is the first of its metrics: write `metrics: {dev/acc: max}` into stage 'train', with a metric that the program reports, and run the sweep again
write `metrics: {dev/acc: max}` into stage 'train', with a metric that the program reports, and run the sweep again
write `metrics: {dev/acc: max}` into stage 'train', with a metric that the program reports, and run the sweep again

# A script that reports metrics has a score from the beginning: the third command prints a table.
=== says.sh
for step in 1 2 3; do
  echo "{\"metric\": \"train/acc\", \"step\": $step, \"value\": 0.$step}" >> "$RETHINK_EVENTS"
  echo "{\"metric\": \"dev/word_error\", \"step\": $step, \"value\": 0.$step}" >> "$RETHINK_EVENTS"
done
===
$ rethink init says.sh 2>/dev/null; grep -A1 'score' says.yaml; rethink run says.yaml --quiet && rethink table says.yaml >table && grep -c 0.3 table
says.yaml
    # The score in tables, which says.sh reports; min: less is better. Others may follow.
    metrics: {dev/word_error: min}
1

$ for call in 'rethink.log(step, **{"train/loss": a, "test/f1": b})' 'rethink.log(step + 1, loss=a)' 'say({"metric": "val/ppl", "step": 1})' 'print("test/acc")'; do echo "$call" >call.py; rm -f call.yaml; rethink init call.py >/dev/null 2>&1; grep ' metrics: ' call.yaml; done
    metrics: {test/f1: max}
    metrics: {run/loss: min}
    metrics: {val/ppl: min}
    # metrics: {dev/acc: max}

# The copy of the helper beside the script is part of its code.
$ printf '#!/bin/sh\nimport rethink\n' >with.sh; touch rethink.py; rethink init with.sh 2>/dev/null && grep code: with.yaml
with.yaml
    code: [with.sh, rethink.py]   # and what it imports, such as "src/**/*.py"

$ rethink init train.sh
train.yaml is there already; remove it, or change it by hand
[exit 2]

$ rethink init none.py
none.py does not exist, expected a program of yours, such as train.py
[exit 2]
