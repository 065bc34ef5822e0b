# Masks of a pretraining in a fine-tuning. Masks of a generator are made anew for longer texts. A mask that was cut from
# a learned one has its length, and a trial of longer texts ends before its first step.
=== masks.yaml
sweep: masks
seeds: [0]
stages:
  random:
    job: pretrain
    data: &documents {dataset: synthetic_documents, documents: 20}
    vocabulary: &pieces {size: 300}
    model: {layers: 1, d_model: 24, heads: 2, ffn: 32, max_positions: 64, attention: {kind: masked, length: 32, mask: {kind: random_drop}}}
    max_length: 32
    steps: 2
    batch: 4
  soft:
    job: pretrain
    data: *documents
    vocabulary: *pieces
    model: {layers: 1, d_model: 24, heads: 2, ffn: 32, max_positions: 64, attention: {kind: importance, length: 32}}
    max_length: 32
    steps: 2
    batch: 4
  mask: {job: mask, needs: {importance: soft}, ratio: 0.5}
  longer:
    job: finetune
    needs: {init: random}
    data: {dataset: synthetic_questions, contexts: 10, facts: 8, names: 8}
    model: {attention: {length: 64}}
    questions: {stride: 16, max_question: 14}
    max_length: 60
    steps: 2
    batch: 4
  pruned:
    job: finetune
    needs: {init: soft, mask: mask}
    data: {dataset: synthetic_questions, contexts: 10, facts: 2, names: 4}
    model: {attention: {kind: given_mask}}
    questions: {stride: 8, max_question: 14}
    max_length: 32
    steps: 2
    batch: 4
resources: {device: cpu, threads: 1}
===
$ rethink run masks.yaml --slots 1 --quiet

# n diagonal cells of n² are removed, as many at random: 1/32, then 1/64.
$ rethink query "select stage, json_extract(facts, '$.sparsity') as sparsity from artifact join sweep_trial using (trial) where kind = 'mask' order by stage" --format csv
stage,sparsity
longer,1.5625
mask,50.0
pruned,50.0
random,3.125

$ rethink run masks.yaml --slots 1 --set stages.pruned.max_length=60 2>&1 | grep '^failed:'
failed: <id>  pruned seed 0: max_length: got 60, but the mask of the input 'mask' is for 32 tokens: lower max_length, or learn the mask with a longer model.attention.length
