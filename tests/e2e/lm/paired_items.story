# Fine-tunings are compared over their evaluated examples, for which one seed is enough.
=== tasks.yaml
sweep: tasks
seeds: [0]
stages:
  base:
    job: pretrain
    data: {dataset: synthetic_documents, documents: 20}
    vocabulary: {size: 300}
    model: {layers: 1, d_model: 16, heads: 2, ffn: 32, max_positions: 64}
    max_length: 48
    duplicates: 1
    batch: 8
    steps: 4
  tune:
    job: finetune
    needs: {init: base}
    max_length: 40
    questions: {stride: 8, max_question: 16}
    batch: 8
    steps: 4
    cases:
      arm: {slow: {optimizer.lr: 1e-4}, fast: {optimizer.lr: 3e-3}}
      task:
        pair: {data.dataset: synthetic_labelled/pair, data.examples: 200}
        sentence: {data.dataset: synthetic_labelled/sentence, data.examples: 200}
        score: {data.dataset: synthetic_labelled/score, data.examples: 200}
        questions: {data.dataset: synthetic_questions, data.contexts: 20, data.facts: 2, data.names: 4}
resources: {device: cpu, threads: 1}
===
=== plots/tables/tasks.yaml
table: tasks
sweep: tasks.yaml
stage: tune
metric: dev/score
rows: {axis: arm, order: [slow, fast]}
columns:
  - {axis: task, order: [pair, sentence, score, questions]}
  - {label: mean, mean_of: task}
  - {label: exact, metric: dev/exact, where: {task: questions}}
direction: max
seeds: 1
test: {baseline: slow, kind: paired_bootstrap}
===
$ rethink run tasks.yaml --slots 1 --quiet

# These are the interval of the difference, and p.
$ rethink table tasks --format csv | grep '^tasks,,fast,' | cut -d, -f4,16,17,19
pair,<n>,<n>,<n>
sentence,<n>,<n>,<n>
score,<n>,<n>,<n>
questions,<n>,<n>,<n>
mean,<n>,<n>,<n>
exact,<n>,<n>,<n>

$ rethink table tasks | grep -c 'not comparable'
0
[exit 1]

$ rethink table tasks | grep -o 'interval of the paired bootstrap over test items'
interval of the paired bootstrap over test items

# Translations are compared by BLEU, over sentences.
=== translations.yaml
sweep: translations
seeds: [0]
stages:
  mt:
    job: mt
    data: {dataset: synthetic_translations, sentences: 200, words: 8, length: 5}
    model: {encoder_layers: 1, layers: 1, d_model: 24, heads: 2, ffn: 32, dropout: 0.1}
    batch_tokens: 128
    optimizer: {name: adam}
    schedule: {name: constant}
    search: {beams: 2}
    evaluate.splits: [dev, test]
    epochs: 10
    cases:
      arm: {slow: {optimizer.lr: 1e-4}, fast: {optimizer.lr: 5e-3}}
resources: {device: cpu, threads: 1}
===
=== plots/tables/translations.yaml
table: translations
sweep: translations.yaml
stage: mt
metric: test/bleu@best
rows: {axis: arm, order: [slow, fast]}
columns: [{label: BLEU}, {label: perplexity, metric: test/perplexity@best, direction: min}]
direction: max
seeds: 1
test: {baseline: slow, kind: paired_bootstrap}
===
$ rethink run translations.yaml --slots 1 --quiet

$ rethink table translations --format csv | grep '^translations,,fast,' | cut -d, -f4,16,17,19
BLEU,<n>,<n>,<n>
perplexity,<n>,<n>,<n>

$ rethink table translations | grep -c 'not comparable'
0
[exit 1]

# Missing files are named once, without a path of this machine, and with the command that makes them again.
$ rm store/trials/*/artifacts/predictions.safetensors

$ rethink table tasks | grep 'not comparable'
<any>not comparable: artifacts/predictions.safetensors is missing; rm of the trial and a new run of its sweep make them again (trial <id> and 3 more)
