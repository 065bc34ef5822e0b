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
init found no metric that train.sh reports; tables and figures need one: write its name as `metrics` in train.yaml
next: `rethink run train.yaml`; docs/how_to/command.md describes how a program reports metrics and checkpoints

$ sed 's/^/|/' train.yaml
|# A sweep for `rethink plan train.yaml` and `rethink run train.yaml`; docs/how_to/command.md describes all keys.
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
|      # Flags, and options without a default: remove the # to pass one, and write its value in `config`.
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
|    # Tables need a score: remove the # and write a metric that the program appends to $RETHINK_EVENTS,
|    # with max or min, whichever is better.
|    # metrics: {dev/acc: max}
|    # If the program only prints the metric, also:
|    # stdout: {dev/acc: 'epoch {step} .*acc={value}'}
|    # For several values, delete lr above and write:
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

# Positional arguments are settings too. Their values must be written into the sweep, or `plan` names the first that is missing.
=== words.sh
if [ "$1" = --help ]; then
  cat <<END
usage: words.sh [-h] [--lr LR] data-folder {train,eval} [notes]

positional arguments:
  data-folder  of the corpus
  {train,eval}
               what to do
  notes
$(printf '   ')
options:
  -h, --help   show this help message and exit
  --lr LR      learning rate (default: 0.001)
END
  exit
fi
echo "$@"
===
$ rethink init words.sh; sed -n '/run:/,/lr: 0/p' words.yaml; rethink plan words.yaml
words.yaml
init found no metric <any>
words.sh takes arguments whose values init does not know: write them as `config` in words.yaml: data_folder, choice
next: <any>
    run: [sh, words.sh,
      "{config.data_folder}",
      "{config.choice}",
      --lr, "{config.lr}",
      # Flags, and options without a default: remove the # to pass one, and write its value in `config`.
      # "{config.notes}",
      ]
    code: [words.sh]   # and what it imports, such as "src/**/*.py"
    config:
      data_folder:   # write a value here: of the corpus
      choice:   # write a value here: {train,eval} what to do
      lr: 0.001
words.yaml:16:7: error: 'config.data_folder' has no value; expected a value
...
[exit 2]

$ sed -i 's/data_folder: /& corpus /; s/choice: /& train /' words.yaml; rethink run words.yaml --quiet && rethink logs $(rethink query "select id from trial where configuration like '%corpus%'" --format csv | tail -1) | grep -e --lr
corpus train --lr 0.001

# A script that reports metrics has a score from the beginning: the third command prints a table.
=== says.sh
for step in 1 2 3; do
  echo "{\"metric\": \"train/acc\", \"step\": $step, \"value\": 0.$step}" >> "$RETHINK_EVENTS"
  echo "{\"metric\": \"dev/word_error\", \"step\": $step, \"value\": 0.$step}" >> "$RETHINK_EVENTS"
done
===
$ rethink init says.sh 2>/dev/null; grep -A1 'score' says.yaml; rethink run says.yaml --quiet && rethink table says.yaml >table && grep -c 0.3 table
says.yaml
    # The score in tables, a metric that says.sh reports; min: less is better. More may follow.
    metrics: {dev/word_error: min}
1

$ for call in 'rethink.log(step, **{"train/loss": a, "test/f1": b})' 'rethink.log(step + 1, loss=a)' 'say({"metric": "val/ppl", "step": 1})' 'report(metric="dev/error", value=1)' 'print("test/acc")'; do echo "$call" >call.py; rm -f call.yaml; rethink init call.py >/dev/null 2>&1; grep ' metrics: ' call.yaml; done
    metrics: {test/f1: max}
    metrics: {run/loss: min}
    metrics: {val/ppl: min}
    metrics: {dev/error: min}
    # metrics: {dev/acc: max}

# A Python script that only prints: its patterns, the defaults in its source and the modules beside it are in the sweep.
=== prints/train.py
import argparse
import data_source
from parts.model import answer
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--out", default="model.txt", help="the trained model")
args = parser.parse_args()
for epoch in range(1, 4):
    print(f"epoch {epoch} loss {data_source.loss(epoch):.4f} acc {answer(args.lr) / epoch:.4f}")
open(args.out, "w").write("saved")
=== prints/data_source.py
def loss(epoch):
    return 1 / epoch
=== prints/parts/model.py
def answer(lr):
    return 1 - lr
===
$ rethink init prints/train.py; sed -n '/run:/,$p' prints/train.yaml; rethink run prints/train.yaml --store prints/store 2>&1 | grep -c 'the program left model.txt in its folder'; rethink table prints/train.yaml --store prints/store | grep -A2 'acc@last ↑'; rethink query "select name, step, value from metric where name = 'loss' order by step" --store prints/store --format csv
prints/train.yaml
next: `rethink run prints/train.yaml`; docs/how_to/command.md describes how a program reports metrics and checkpoints
    run: [python3, train.py,
      --lr, "{config.lr}",
      --seed, "{seed}",
      --out, "{config.out}",   # written in a folder that is removed; "{artifacts}/NAME" keeps the file
      ]
    code: [train.py, data_source.py, "parts/**/*.py"]   # and what it imports, such as "src/**/*.py"
    config:
      lr: 0.1
      out: model.txt
    # Read from what train.py prints. The score in tables is run/acc; max: more is better. More may follow.
    metrics: {run/acc: max}
    stdout:
      run/loss: 'epoch {step} loss {value}'
      run/acc: 'epoch {step}.* acc {value}'
    # For several values, delete lr above and write:
    # grid: {config.lr: [...]}
1
       run/acc@last ↑
─────────────────────
train          0.3000
name,step,value
loss,1,1.0
loss,2,0.5
loss,3,0.3333

# A script whose help fails or takes too long: its options are unknown, and the sweep shows how to add them.
=== broken.sh
# --help
echo "loading" >&2
echo "ImportError: No module named 'torch'" >&2
exit 1
===
=== bin/timeout
#!/bin/sh
exit 124
===
$ rethink init broken.sh; grep -A4 code: broken.yaml; rm broken.yaml; chmod +x bin/timeout; PATH=$PWD/bin:$PATH rethink init broken.sh 2>&1 | grep note
broken.yaml
note: `broken.sh --help` failed: ImportError: No module named 'torch'; its options are unknown: a comment in broken.yaml shows how to add them
init found no metric <any>
next: <any>
    code: [broken.sh]   # and what it imports, such as "src/**/*.py"
    # Options of broken.sh are words of `run`, with their values in `config`:
    # run: [sh, broken.sh, --lr, "{config.lr}", --seed, "{seed}"]
    # config: {lr: 0.1}
    # Tables need a score: <any>
note: `broken.sh --help` gave no answer in 10 s; its options are unknown: a comment in broken.yaml shows how to add them

# The copy of the helper beside the script is part of its code.
$ printf '#!/bin/sh\nimport rethink\n' >with.sh; touch rethink.py; rethink init with.sh 2>/dev/null && grep code: with.yaml
with.yaml
    code: [with.sh, rethink.py]   # and what it imports, such as "src/**/*.py"

$ rethink init train.sh
train.yaml already exists; remove it, or edit it
[exit 2]

$ rethink init none.py
none.py does not exist, expected a program of yours, such as train.py
[exit 2]
