# Questions from YAML to a table: an encoder is pretrained and fine-tuned on questions, of which some have no answer.
# The learning rate is chosen by F1, and the table shows both of the official scorer's numbers.
=== answers.yaml
sweep: answers
seeds: [0]
stages:
  base:
    job: pretrain
    data: {dataset: synthetic_documents, documents: 20}
    vocabulary: {size: 300}
    model: &model {layers: 1, d_model: 16, heads: 2, ffn: 32, max_positions: 64}
    max_length: 48
    duplicates: 1
    batch: 8
    steps: 4
  answer:
    job: finetune
    needs: {init: base}
    data: {dataset: synthetic_questions, contexts: 20, facts: 2, names: 4, impossible: 0.3}
    max_length: 40
    questions: {stride: 8, max_question: 16}
    batch: 8
    epochs: 2
    grid: {optimizer.lr: [1e-4, 3e-3]}
  best: {job: select, needs: {from: answer}, over: [optimizer.lr], by: dev/f1}
resources: {device: cpu, threads: 1}
===
=== plots/tables/answers.yaml
table: answers
sweep: answers.yaml
stage: best
percent: true
decimals: 1
rows: [{label: dense}]
columns: [{label: EM, metric: dev/exact}, {label: F1, metric: dev/f1}]
direction: max
seeds: 1
===
$ rethink run answers.yaml --slots 1 --quiet

$ rethink table answers
answers

<any>EM ↑      F1 ↑
─────────────────────────
dense  <n> [a]  <n> [a]
─────────────────────────
[a] the candidate was selected on the reported split, dev
no profile; one seed, so without a spread

$ rethink query "select distinct name from metric where split = 'dev' and trial in (select id from trial where job = 'finetune') order by name" --format csv
name
exact
exact@best
exact@last
f1
f1@best
f1@last
score
score@best
score@last

# Killed after its first checkpoint and resumed, it ends with the same numbers.
$ RETHINK_KILL_AT=after_checkpoint_publish:1 rethink run answers.yaml --set checkpoint_every=0 --store killed --slots 1 --quiet

$ for store in store killed; do rethink query "select trial, split, name, step, value from metric order by 1, 2, 3, 4" --store $store --format csv > $store.csv; done; cmp store.csv killed.csv && wc -l < store.csv
<n>
