#!/bin/sh
# The programs of docs/how_to/command.md, as a reader copies them, and those of `rethink init --template`: each is run,
# stopped, resumed, and must resume exactly. If the Python lacks a program's packages, stand-ins take their place, which
# compute nothing: then the program's own names and its use of rethink are tested.
#   run.sh BIN [PYTHON]    the folder of the programs; a Python with torch, transformers and lightning (default: RETHINK_PYTHON, python3)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$1" && pwd):$PATH
python=${2:-${RETHINK_PYTHON:-python3}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
python=$(command -v "$python")
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >bin/python3
chmod +x bin/python3
export PATH="$work/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
page=$here/../../docs/how_to/command.md

# Prints the block of code after the line "`NAME`:", or after a line that ends with it.
extract() {
  awk -v name="\`$1\`" 'found && /^```/ { if (inside) exit; inside = 1; next }
    inside { print }
    index($0, name) && !inside { found = 1 }' "$page" >"$1"
  [ -s "$1" ] || { echo "$1: is not in $page" >&2; exit 1; }
}

fail() {
  echo "$*" >&2
  exit 1
}

cp "$here/../../release/python/rethink/_trial.py" rethink.py

extract ten.py
extract ten.yaml
extract ten_table.yaml
sed -i 's/code: \[ten.py\]/code: [ten.py, rethink.py]/' ten.yaml
rethink run ten.yaml --store ten --quiet
rethink table ten_table.yaml --store ten --format latex | grep -q 'begin{tabular}' || fail "ten: no table"
echo "ten: done"

# NAME.yaml, a sweep of one trial, is run to its end; a copy of it is stopped in the middle and resumed; then selftest proves the resume.
resumes() {
  rethink run "$1.yaml" --store "$1" --quiet
  rethink run "$1.yaml" --store "$1.stopped" --quiet &
  driver=$!
  for i in $(seq 600); do
    grep -q '"checkpoint"' "$1.stopped"/trials/*/attempt-1/events.jsonl 2>/dev/null && break
    sleep 0.05
  done
  kill -INT $driver
  wait $driver && fail "$1: ended before it could be stopped" || :
  rethink run "$1.yaml" --store "$1.stopped" --quiet
  numbers="select split, name, step, value from metric order by split, name, step"
  rethink query "$numbers" --store "$1" --format csv >quiet.csv
  rethink query "$numbers" --store "$1.stopped" --format csv >stopped.csv
  cmp quiet.csv stopped.csv || fail "$1: a resumed trial has other numbers"
  rethink selftest --resume "$(ls "$1/trials")" --store "$1"
}

example() {
  extract "$1.py"
  extract "$1.yaml"
  sed -i "s/code: \[$1.py\]/code: [$1.py, rethink.py]/; s/^    grid: {config.lr: \[\([^,]*\),.*/    grid: {config.lr: [\1]}/; s/^seeds: .*/seeds: [0]/" "$1.yaml"
  resumes "$1"
}

# The template as it is written, smaller and with dropout, in one process and, with torch, in two of torchrun; where
# Python has the package tokenizers, the two read tokens of a BPE.
template() { # torch|stand-ins
  rethink init --template attention-lm lm
  (
    cd lm
    cat "$here"/../../docs/*.md >text.txt
    sed "s/^seeds: .*/seeds: [0]/; s/attention: \[dense, window\]/attention: [window]/
      s/config: {.*/config: {steps: 60, width: 32, layers: 2, heads: 4, kv_heads: 2, ffn: 64, window: 8, length: 32, batch: 4, dropout: 0.1, \
        warmup: 5, log_every: 5, dev_every: 20, dev_batches: 5, checkpoint_every: 10}/" lm.yaml >alone.yaml
    resumes alone
    [ "$1" = torch ] || exit 0
    sed "s/run: .*/run: [python3, -m, torch.distributed.run, --standalone, --nproc-per-node=2, train.py]/" alone.yaml >two.yaml
    if python3 -c "import tokenizers" 2>/dev/null; then
      python3 -c 'import tokenizers
bpe = tokenizers.ByteLevelBPETokenizer()
bpe.train(["text.txt"], vocab_size=500, show_progress=False)
bpe.save("tokenizer.json")'
      sed -i "s/# tokenizer:/tokenizer:/" two.yaml
    fi
    resumes two
  )
}

# BET's language model on a few lines, with a checkpoint after each of five passes.
bet() {
  rethink init --template bet-lm bet
  (
    cd bet
    mkdir wikitext-2
    for split in train valid test; do cat "$here"/../../docs/*.md | grep -v '^$' | head -n 200 >wikitext-2/wiki.$split.tokens; done
    sed "s/^seeds: .*/seeds: [0]/; s/attention: \[dense, bird_eye\]/attention: [bird_eye]/; s/vocabulary: 30000/vocabulary: 1000/
      s/max_train_sequences: 0/max_train_sequences: 64/; s/layers: 6, d_model: 300/layers: 2, d_model: 32/; s/ffn: 2048/ffn: 64/
      s/batch: 64/batch: 8/; s/steps: 0, log_every: 25/steps: 40, log_every: 5/" bet_lm.yaml >small.yaml
    resumes small
  )
}

# Whether Python has the modules; otherwise stand-ins from now on.
has() { # MODULES PROGRAM
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >bin/python3
  python3 -c "import $1" 2>/dev/null && return 0
  printf '#!/bin/sh\nPYTHONDONTWRITEBYTECODE=1 PYTHONPATH="%s" exec "%s" "$@"\n' "$here/stand_ins" "$python" >bin/python3
  echo "$2: with stand-ins, since $python lacks some of $1; make check-hf has them"
  return 1
}

if has torch attention-lm; then template torch; else template stand-ins; fi
has torch bet-lm || :
bet
for name in torch_train:torch hf_train:torch,transformers,accelerate lightning_train:torch,lightning; do
  has "${name#*:}" "${name%:*}" || :
  example "${name%:*}"
done
