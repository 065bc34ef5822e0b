# A template is a whole program with its sweep, which can be planned at once.
$ rethink init --template attention-lm lm && ls lm
lm/attn.py
lm/lm.yaml
lm/model.py
lm/rethink.py
lm/train.py
next: `rethink plan lm/lm.yaml`; the comment in lm/lm.yaml says what the program needs
attn.py
lm.yaml
model.py
rethink.py
train.py

$ cmp lm/rethink.py "$FIXTURES/../../release/python/rethink/_trial.py" && cmp lm/train.py "$FIXTURES/../../experiments/templates/attention-lm/train.py"

$ rethink plan lm/lm.yaml
lm/lm.yaml:18:13: error: 'data.text': <any>/lm/text.txt does not exist
        text: {file: text.txt}   # any text file; its last tenth is for evaluation
              ^
[exit 2]

$ echo some text >lm/text.txt; rethink plan lm/lm.yaml
stage                      trials distinct     done  running    ended   to run
lm train                        4        4        0        0        0        4  time and disk unknown

programs
  lm train: python3 train.py  (code <id>)

to run
  <any>  train config.attention=dense seed=0: new
  <any>  train config.attention=dense seed=1: new
  <any>  train config.attention=window seed=0: new
  <any>  train config.attention=window seed=1: new

# No file is overwritten, and none is written beside existing ones.
$ mkdir mine; echo mine >mine/attn.py; ln -s nowhere mine/model.py; rethink init --template attention-lm mine
mine/attn.py, mine/model.py already exist, and nothing was written; remove them, or name another folder: `rethink init --template attention-lm FOLDER`
[exit 2]

$ ls mine; cat mine/attn.py
attn.py
model.py
mine

$ rethink init --template attention_lm
--template: unknown template 'attention_lm'; did you mean 'attention-lm'?; known: attention-lm, bet-lm
[exit 2]

$ rethink init --template attention-lm lm/lm.yaml
lm/lm.yaml is not a folder, expected a folder for the template
[exit 2]

$ rethink init --template attention-lm one two
rethink init --template: got several folders, expected one or none
[exit 2]

$ rethink init
rethink init: expected one SCRIPT, such as train.py, or --template NAME; templates: attention-lm, bet-lm
[exit 2]

# Without a name, the templates are listed.
$ rethink init --template; rethink init --templates --quiet
attention-lm  a language model in plain PyTorch (RMSNorm, RoPE, SwiGLU, grouped queries) with two kinds of attention
bet-lm  BET's language model in plain PyTorch, with a table beside rethink's own rows on WikiText-2
next: `rethink init --template NAME FOLDER`
attention-lm  a language model in plain PyTorch (RMSNorm, RoPE, SwiGLU, grouped queries) with two kinds of attention
bet-lm  BET's language model in plain PyTorch, with a table beside rethink's own rows on WikiText-2
next: `rethink init --template NAME FOLDER`

# A template with a table advises to plan the sweep next. The table has every line of the shipped one.
$ rethink init --template bet-lm bet
bet/bet_lm.yaml
bet/bet_lm_table.yaml
bet/decoders.py
bet/rethink.py
bet/train_lm.py
next: `rethink plan bet/bet_lm.yaml`; the comment in bet/bet_lm.yaml says what the program needs

$ grep -E '^  - |^  [A-Z].*: .WikiText-2' "$FIXTURES/../../plots/tables/bet/table2_wikitext2.yaml" | grep -vxFf bet/bet_lm_table.yaml; grep -c 'plain PyTorch"' bet/bet_lm_table.yaml
3
