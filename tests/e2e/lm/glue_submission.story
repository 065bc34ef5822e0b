# From fine-tuning to GLUE's server and back: predictions of test sets, their files in one folder, the answer in a table.
=== data/glue/CoLA/train.tsv
s	1	a	ba be bi
s	0	a	bo bu ba
s	1	a	be bi bo
s	0	a	bu ba be
===
=== data/glue/CoLA/dev.tsv
s	1	a	ba bo
s	0	a	bu be
===
=== data/glue/CoLA/test.tsv
index	sentence
0	be ba bo
1	bi bu
2	bo
===
=== data/glue/RTE/train.tsv
index	sentence1	sentence2	label
0	ba be	bi	entailment
1	bo bu	ba	not_entailment
===
=== data/glue/RTE/dev.tsv
index	sentence1	sentence2	label
0	ba	be	entailment
1	bu	bo	not_entailment
===
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents, documents: 20}
    model: {preset: bert_tiny, d_model: 16, heads: 2, ffn: 16, max_positions: 16}
    vocabulary: {size: 200}
    max_length: 16
    steps: 1
    batch: 4
  finetune:
    job: finetune
    needs: {init: pretrain}
    max_length: 16
    steps: 1
    cases:
      task:
        CoLA: {data: {dataset: glue/cola, test: true}}
        RTE: {data.dataset: glue/rte}
    grid: {optimizer.lr: [1e-4, 1e-3]}
  best:
    job: select
    needs: {from: finetune}
    over: [optimizer.lr]
    by: dev/score
===
=== mine/plots/tables/mine/test_sets.yaml
table: mine/test_sets
title: Test sets
sweep: tiny.yaml
stage: best
seeds: 1
decimals: 1
rows: [{label: ours}]
columns:
  - {label: CoLA, imported: test, where: {task: CoLA}}
  - {label: RTE, imported: test, where: {task: RTE}}
direction: max
===
=== by_hand.yaml
from: gluebenchmark.com
date: 2026-11-21
sweep: tiny
stage: best
scores:
  - {where: {task: CoLA}, test: 53.3}
  - {where: {task: CoLAA}, test: 53.3}
===
$ rethink run tiny.yaml --data data --quiet 2>/dev/null

$ rethink score submission tiny sent --stage best 2>&1 | grep -v 'no trial here'
missing: RTE.tsv: trial <id> (task=RTE seed 0) left no predictions of test: its data.test is false
predictions of test sets come from: rethink run tiny.yaml --data data --set stages.finetune.data.test=true
sent/CoLA.tsv  task=CoLA seed 0
sent/scores.yaml  for the server's answer, then `rethink score import sent/scores.yaml`

$ cut -f 1 sent/CoLA.tsv; cut -f 2 sent/CoLA.tsv | grep -c '^[01]$'
index
0
1
2
3

# This is WNLI's majority class, as in docs/tables.md.
$ { printf 'index\tprediction\n'; seq 0 145 | sed 's/$/\t0/'; } > sent/WNLI.tsv; sed -n '1,2p;$p;$=' sent/WNLI.tsv
index	prediction
0	0
145	0
147

$ rethink table mine/test_sets --path mine --path . --data data | grep -v '──\|^no profile'
mine/test_sets: Test sets

                    CoLA ↑                 RTE ↑
ours  not imported [a,b,c]  not imported [a,c,d]
[a] not imported
[b] partial data: trained on 4 of 8,551 examples
[c] tied candidates: 2 of 2 candidates are equal by dev/score; the first in the sweep's order was taken
[d] partial data: trained on 2 of 2,490 examples
NOT COMPLETE: 2 of 2 cells wait for scores that a server gives: `rethink score submission SWEEP NEW_DIR` writes what it takes, `rethink score import FILE` reads its answer

$ rethink score import by_hand.yaml
by_hand.yaml:7:20: error: no trial has task 'CoLAA'; did you mean 'CoLA'?; there is: CoLA, RTE
    - {where: {task: CoLAA}, test: 53.3}
                     ^
[exit 2]

$ sed -i 's/^date:/date: 2026-11-20/; s/^    test:/    test: 52.3/' sent/scores.yaml; rethink score import sent/scores.yaml
trial <id> seed 0: test 52.3
1 score added, 0 replaced, 0 already known

$ sed -i '$d' by_hand.yaml; rethink score import by_hand.yaml
task=CoLA seed 0: test 53.3, was 52.3 (gluebenchmark.com, 2026-11-20)
0 scores added, 1 replaced, 0 already known

# The folders have the scores, so the database may be removed.
$ rm store/rethink.db*; rethink db rebuild
7 trials, 1 sweep

$ rethink table mine/test_sets --path mine --path . --data data | grep -v '──\|^no profile\|^NOT'
mine/test_sets: Test sets

            CoLA ↑                 RTE ↑
ours  53.3 [a,b,c]  not imported [b,d,e]
[a] partial data: trained on 4 of 8,551 examples
[b] tied candidates: 2 of 2 candidates are equal by dev/score; the first in the sweep's order was taken
[c] imported: scored by gluebenchmark.com, 2026-11-21
[d] not imported
[e] partial data: trained on 2 of 2,490 examples

$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
