# `reproduce` names missing data before it trains, and leaves out the trials that need them.
=== tuned.yaml
sweep: tuned
seeds: [0]
stages:
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents, documents: 20}
    vocabulary: {size: 300}
    model: {layers: 1, d_model: 24, heads: 2, ffn: 32, max_positions: 64}
    max_length: 32
    steps: 2
    batch: 4
  finetune: {job: finetune, needs: {init: pretrain}, data: {dataset: glue/cola}, max_length: 32, steps: 2, batch: 4}
resources: {device: cpu, threads: 1}
===
=== plots/tables/tuned/answers.yaml
table: tuned/answers
sweep: tuned.yaml
stage: finetune
metric: train/loss@tail
rows: [{label: ours}]
columns: [{label: loss, direction: min}]
seeds: 1
===
# No table can have a value, so the model that would be fine-tuned is not trained either.
$ rethink reproduce tuned --data /nowhere 2>said; echo exit $?; grep -v '^/nowhere' said; [ -e store ] || echo nothing was trained
out/index.html
exit 1
tuned, no profile: none was given, and no sweep has smoke
left out, since data or weights are missing: <any>rethink data get glue/cola<any>
nothing can be trained here for table tuned/answers
not complete: table tuned/answers: <any>
nothing was trained

# Trials of another table run, after an estimate of their time.
$ sed 's,tuned/answers,tuned/texts,; s/stage: finetune/stage: pretrain/' plots/tables/tuned/answers.yaml >plots/tables/tuned/texts.yaml; rethink reproduce tuned --data /nowhere --quiet
tuned, no profile: none was given, and no sweep has smoke
left out, since data or weights are missing: <any>rethink data get glue/cola<any>
nothing can be trained here for table tuned/answers
1 trial to run
  time of one slot: under a minute, estimated from <any> FLOPs at an assumed 1.0e+11 FLOP/s, without evaluation
  disk: 44 kB of weights, estimated from the models' sizes; up to 265 kB of checkpoints a slot; <any> are free
not complete: table tuned/answers: <any>
out/index.html
[exit 1]

# The estimate of another seed is the measured cost of the first one.
$ rethink reproduce tuned --data /nowhere --quiet --seeds 0,1 2>&1 | grep -A 2 'to run'
1 trial to run
  time of one slot: under a minute, as similar trials took
  disk: about <any>, as similar trials took;<any>
