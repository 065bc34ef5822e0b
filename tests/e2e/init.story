# From a script to a sweep of it: two commands.
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
next: `rethink run train.yaml`; docs/how_to/command.md says how it reports metrics and checkpoints

$ sed 's/^/|/' train.yaml
|# What `rethink plan train.yaml` and `rethink run train.yaml` do; docs/how_to/command.md says the rest.
|sweep: train
|seeds: [0]
|stages:
|  train:
|    job: command
|    run: [sh, train.sh, --lr, "{config.lr}", --batch-size, "{config.batch_size}", --mode, "{config.mode}", --seed, "{seed}"]
|    code: [train.sh]   # and what it imports, such as "src/**/*.py"
|    config:
|      lr: 0.001
|      batch_size: 8
|      mode: fast
|      # name: of the run
|    # What it appends to $RETHINK_EVENTS, and which is better:
|    # metrics: {dev/acc: max}
|    # grid: {config.lr: [...]}

$ rethink run train.yaml --quiet && rethink logs $(rethink query "select id from trial" --format csv | tail -1) | grep -e --lr
--lr 0.001 --batch-size 8 --mode fast --seed 0

$ rethink init train.sh
train.yaml is there already; remove it, or change it by hand
[exit 2]

$ rethink init none.py
none.py does not exist, expected a program of yours, such as train.py
[exit 2]
