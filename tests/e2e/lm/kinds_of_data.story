# A job reads only data sets of its own kind, and records their metrics; it gets the weights and the mask that it needs.
# Mistakes are reported before anything runs.
=== labels.yaml
sweep: labels
stages:
  train:
    job: lm
    data: {dataset: glue/cola}
    evaluate: {splits: [dev]}
    steps: 20
===
$ rethink plan labels.yaml
labels.yaml:5:21: error: got data.dataset: glue/cola, whose kind is labelled; a language model learns from running text: <any>
      data: {dataset: glue/cola}
                      ^
[exit 2]

=== text.yaml
sweep: text
stages:
  train: {job: pretrain, data: {dataset: kjv}, model: {preset: bert_tiny}, steps: 20}
===
$ rethink plan text.yaml
text.yaml:3:42: error: got data.dataset: kjv, whose kind is text; pretraining is on documents of sentences: <any>
    train: {job: pretrain, data: {dataset: kjv}, model: {preset: bert_tiny}, steps: 20}
                                           ^
[exit 2]

=== questions.yaml
sweep: questions
stages:
  base: {job: pretrain, data: {dataset: synthetic_documents}, model: {preset: bert_tiny}, steps: 20}
  documents:
    job: finetune
    needs: {init: base}
    data: {dataset: synthetic_documents}
    steps: 20
  answer:
    job: finetune
    needs: {init: base}
    data: {dataset: synthetic_questions}
    evaluate: {metric: mcc, splits: [test]}
    max_length: 600
    questions: {max_question: 597}
    grid: {optimizer.lr: [1e-4, 1e-3]}
    steps: 20
  best: {job: select, needs: {from: answer}, over: [optimizer.lr], by: dev/mcc}
===
$ rethink plan questions.yaml
questions.yaml:7:21: error: got data.dataset: synthetic_documents, whose kind is documents; fine-tuning is on labelled texts, on questions or on tagged words: <any>
      data: {dataset: synthetic_documents}
                      ^
questions.yaml:13:24: error: 'evaluate.metric': got 'mcc', expected one of f1, exact; these are the metrics of the data set
      evaluate: {metric: mcc, splits: [test]}
                         ^
questions.yaml:13:38: error: 'evaluate.splits': got 'test', expected one of train, dev; these are the splits of the data set
      evaluate: {metric: mcc, splits: [test]}
                                       ^
questions.yaml:14:17: error: got max_length: 600, model.max_positions: 512; every token needs a position: lower max_length, or raise model.max_positions in the stage that draws the first weights (those of `init` bring their positions along)
      max_length: 600
                  ^
questions.yaml:15:31: error: got questions.max_question: 597, max_length: 600; beside the question three special tokens and one of its context must fit
      questions: {max_question: 597}
                                ^
[exit 2]

# Fine-tuning begins with weights.
=== weights.yaml
sweep: weights
stages:
  class: {job: finetune, data: {dataset: synthetic_labelled/pair}, model: {preset: bert_tiny}, steps: 20}
===
$ rethink plan weights.yaml
weights.yaml:3:3: error: stage 'class' needs weights: write needs: {init: STAGE}, or {init: {file: DIR}}
    class: {job: finetune, data: {dataset: synthetic_labelled/pair}, model: {preset: bert_tiny}, steps: 20}
    ^
[exit 2]

# The mask of an inherited option is for shorter texts than the job reads.
=== mask.yaml
sweep: mask
stages:
  base: {job: pretrain, data: {dataset: synthetic_documents}, model: {preset: bert_tiny, attention: {kind: masked, mask: {kind: star}}}, steps: 20}
  answer: {job: finetune, needs: {init: base}, data: {dataset: synthetic_questions}, max_length: 384, steps: 20}
===
$ rethink plan mask.yaml
mask.yaml:4:98: error: got max_length: 384, model.attention.length: 128; the attention's mask is for that many tokens: raise model.attention.length, or lower max_length
  ...answer: {job: finetune, needs: {init: base}, data: {dataset: synthetic_questions}, max_length: 384, steps: 20}
                                                                                                    ^
[exit 2]

$ rethink plan mask.yaml --set stages.answer.model.attention.length=384 --check

# Masked attention without a mask would be dense.
=== no_mask.yaml
sweep: no_mask
stages:
  base:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, attention: {kind: masked}}
    steps: 20
===
$ rethink plan no_mask.yaml
no_mask.yaml:6:43: error: 'model.attention.mask' is missing: which positions attend to which; {kind: none}: all, as dense attention; write mask: {kind: NAME} with one of bigbird, fixed, logsparse, longformer, none, random_drop, self, special_tokens, star, strided
      model: {preset: bert_tiny, attention: {kind: masked}}
                                            ^
[exit 2]

$ rethink plan no_mask.yaml --set 'model.attention.mask={kind: none}' --check

# A note names arms whose masks hide nothing, or are equal.
=== same_masks.yaml
sweep: same_masks
seeds: [0]
stages:
  base:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny}
    steps: 20
    cases:
      arm:
        all:   {model.attention: {kind: masked, mask: {kind: none}}}
        none:  {model.attention: {kind: masked, mask: {kind: none, diagonal: false}}}
        one:   {model.attention: {kind: masked, mask: {kind: longformer, globals: 0}}}
        other: {model.attention: {kind: masked, mask: {kind: longformer, globals: 0, seed: 1}}}
===
$ rethink plan same_masks.yaml
same_masks.yaml: note: stage 'base', arm=all: model.attention.mask hides nothing: it is dense attention
same_masks.yaml: note: stage 'base', arm=other: model.attention.mask is the same mask as that of arm=one
stage <any>
...

# A stage with a mask must be needed by attention that reads it; otherwise the mask would be ignored without a word.
=== inputs.yaml
sweep: inputs
stages:
  base: {job: pretrain, data: {dataset: synthetic_documents}, model: {preset: bert_tiny}, steps: 20}
  search: {job: pretrain, data: {dataset: synthetic_documents}, model: {preset: bert_tiny, attention: {kind: dam}}, steps: 20}
  of_nothing: {job: mask}
  of_dense: {job: mask, needs: {learned: base}}
  good: {job: mask, needs: {learned: search}}
  dead: {job: mask, needs: {learned: search}, grid: {ratio: [0.1, 0.9]}}
  unread:
    job: pretrain
    needs: {mask: good}
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, attention: {kind: masked, mask: {kind: star}}}
    steps: 20
  unfilled:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny}
    cases:
      arm:
        dense: {model.attention: {kind: dense}}
        given: {model.attention: {kind: given_mask}}
    steps: 20
===
$ rethink plan inputs.yaml
inputs.yaml:5:3: error: stage 'of_nothing' fills 0 of the inputs importance and learned, and takes exactly one: write needs: {importance: STAGE}
    of_nothing: {job: mask}
    ^
inputs.yaml:6:42: error: stage 'base' writes no mask; these plug-ins do: attention/dam, attention/given_mask, attention/masked
    of_dense: {job: mask, needs: {learned: base}}
                                           ^
inputs.yaml:8:54: error: 'ratio' belongs to the input 'importance', which the stage lacks: remove it, or write needs: {importance: STAGE}
    dead: {job: mask, needs: {learned: search}, grid: {ratio: [0.1, 0.9]}}
                                                       ^
inputs.yaml:11:19: error: no trial of stage 'unread' reads its input 'mask'; these plug-ins do: attention/given_mask
      needs: {mask: good}
                    ^
inputs.yaml:22:34: error: model.attention: 'given_mask' reads the input 'mask', which the stage lacks: write needs: {mask: STAGE}
          given: {model.attention: {kind: given_mask}}
                                   ^
[exit 2]

# A note names a stage whose results nobody uses, and an arm that continues without its training's mask.
=== unread.yaml
sweep: unread
seeds: [0]
stages:
  search: {job: pretrain, data: {dataset: synthetic_documents}, model: {preset: bert_tiny, attention: {kind: dam}}, steps: 20}
  mask: {job: mask, needs: {learned: search}}
  tune:
    job: finetune
    needs: {init: search}
    data: {dataset: synthetic_labelled/pair}
    model: {attention: {kind: dense}}
    steps: 20
===
$ rethink plan unread.yaml
unread.yaml:10:31: note: stage 'tune' continues with 'model.attention' dense, but the weights in 'init' were trained with dam; remove 'model.attention' from the stage to keep the old value
unread.yaml:5:3: note: nothing uses the mask of stage 'mask': no stage needs it, and no table or figure shows it; write needs: {mask: mask} in the stage that should use it
...

# These options need each other: each asks for the other.
=== annealed.yaml
sweep: annealed
seeds: [0]
stages:
  search:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, attention: {kind: dam, last_temperature: 0.1, temperature_steps: 2}}
    steps: 3
===
$ rethink run annealed.yaml --quiet --store annealed
$ rethink plan annealed.yaml --store annealed --set stages.search.model.attention.last_temperature=null
annealed.yaml:7:97: error: got temperature_steps: 2, last_temperature: nothing; without last_temperature the temperature stays
      model: {preset: bert_tiny, attention: {kind: dam, last_temperature: 0.1, temperature_steps: 2}}
                                                                                                  ^
[exit 2]

=== plots/figures/masks.yaml
figure: masks
kind: heatmap
sweep: unread.yaml
stage: mask
artifact: mask
panels: [{label: learned, where: {}}]
===
$ rethink plan unread.yaml --path . 2>&1 | grep -c 'nothing uses'
0
[exit 1]
