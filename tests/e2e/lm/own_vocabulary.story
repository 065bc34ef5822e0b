# Pretraining with a user's vocabulary, which is identified by its content.
$ for d in 1 2 3; do for i in $(seq 40); do printf 'the cat saw a mouse\nthe dog saw the cat\na mouse saw the dog\n'; done; echo; done > text.txt
$ printf '%s\n' '[PAD]' '[UNK]' '[CLS]' '[SEP]' '[MASK]' the cat saw a mouse dog '##s' > vocab.txt
=== v.yaml
sweep: v
seeds: [0]
stages:
  base:
    job: pretrain
    data: {dataset: pretrain_text, paths: [text.txt], vocabulary: vocab.txt}
    model: {layers: 1, d_model: 16, heads: 2, ffn: 16}
    max_length: 16
    steps: 2
    keep: weights
resources: {device: cpu, threads: 1}
===
$ rethink run v.yaml --data . --quiet; rethink query "SELECT trial FROM sweep_trial" --format csv | tail -1 > first
$ rethink export $(cat first) folder && cmp folder/vocab.txt vocab.txt && grep '"vocab_size' folder/config.json
folder
  "vocab_size": 12<any>

# Another file makes another trial; the same file elsewhere does not.
$ cp vocab.txt other.txt
$ rethink plan v.yaml --data . --set stages.base.data.vocabulary=other.txt --format json | grep -c "$(cat first)"
<any>
$ echo cats >> other.txt; rethink plan v.yaml --data . --set stages.base.data.vocabulary=other.txt --format json | grep -c "$(cat first)"
0
[exit 1]

$ rethink run v.yaml --data . --set stages.base.data.vocabulary=none.txt
...
<any>none.txt<any>
...
[exit 2]

=== twice.yaml
sweep: twice
seeds: [0]
stages:
  base: {use: v.yaml#base}
  more:
    job: pretrain
    needs: {init: base}
    data: {dataset: pretrain_text, paths: [text.txt], vocabulary: vocab.txt}
    max_length: 16
    steps: 2
resources: {device: cpu, threads: 1}
===
$ rethink run twice.yaml --data . --quiet 2>&1 | grep -o 'the weights in .* vocabulary of their own' | head -1
the weights in 'init' have a vocabulary of their own
