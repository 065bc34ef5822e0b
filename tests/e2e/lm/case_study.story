# A table of words shows the attention of two language models in a user's sentence.
=== cats.yaml
sweep: cats
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: text, path: cats.txt, lowercase: true, vocabulary: 7}
    model: {layers: 2, d_model: 8, heads: 1, ffn: 8}
    steps: 2
    batch: 8
    evaluate: {splits: [dev]}
    cases:
      arm:
        BET: {model.attention: {kind: bird_eye}}
        plain: {model.attention: {kind: dense}}
  attended:
    job: analyze
    needs: {init: lm}
    analysis:
      kind: attended_tokens
      sentences: [{text: the zebra saw a mouse, target: saw}]
===
=== plots/tables/cats.yaml
table: cats
kind: words
title: what a sentence attends to
sweep: cats.yaml
stage: attended
artifact: attended_tokens
rows: [{label: layer 2, sentence: 1, layer: 2}, {label: layer 3, sentence: 1, layer: 3}]
columns: [{axis: lm.arm}]
paper: {layer 2: {BET: [the, zebra]}}
===
$ for i in $(seq 60); do echo "the cat saw a mouse and the dog"; done > cats.txt

$ rethink table cats --format md --data .
...
|  | sentence | BET | BET, paper | plain |
|:--|:--|:--|:--|:--|
| layer 2 |  | _missing_ | the, zebra | _missing_ |
| layer 3 |  | _missing_ |  | _missing_ |

- NOT COMPLETE: 2 of 2 trials are not done, nor are 2 that they need; run them with: rethink table cats --run --data .
- no profile
[exit 1]

$ rethink table cats --format md --data . --run --quiet --slots 1
...
| layer 2 | the zebra\* \[saw\] a mouse | <any> | the, zebra | <any> |
| layer 3 |  | _no layer 3: there are 2_ |  | _no layer 3: there are 2_ |

- no profile
- words of seed 0, each with its share of the attention
- words of the paper that are ours, too: BET <n> of 2
- \*: the word is not in the vocabulary; the model reads &lt;unk> in its place

# BET hides a token from itself: the token before the target sees two.
$ rethink table cats --format csv --data . | grep 'layer 2' | cut -d , -f 3-8,10
layer 2,1,2,BET,seed 0,1,true
layer 2,1,2,BET,seed 0,2,true
layer 2,1,2,BET,paper,1,
layer 2,1,2,BET,paper,2,
layer 2,1,2,plain,seed 0,1,<any>
layer 2,1,2,plain,seed 0,2,<any>
layer 2,1,2,plain,seed 0,3,<any>

# A sentence from the command line, and a sentence without the requested target.
$ rethink table cats --data . --quiet --slots 1 --run --format csv --set stages.attended.analysis.sentences='[{text: The cat saw}]' | grep -c 'layer 2.*seed 0'
5

$ rethink table cats --data . --quiet --slots 1 --run --set stages.attended.analysis.sentences='[{text: the cat saw, target: dog}]' --format md | grep layer
| layer 2 |  | _failed_ | the, zebra | _failed_ |
| layer 3 |  | _failed_ |  | _failed_ |

$ rethink logs $(rethink query "select trial from attempt where message like '%dog%'" --format csv | tail -n 1) | grep -c "number 1: target 'dog': occurs 0 times, expected at least 1, in: <start> the cat saw"
1

$ rethink claims cats
<any>
[exit 2]

$ rethink why cats 'layer 2' BET --data .
<any>plots/tables/cats.yaml:2:7: error: table cats is of words<any>
...
[exit 2]

# The page has it, too.
$ rethink report cats --data .
<any>report.html

$ grep -c 'the zebra\* \[saw\] a mouse' out/report.html
1
