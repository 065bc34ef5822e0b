# A random mask is drawn anew for each seed: draw k belongs to seed k, and its trial equals that of the number k.
=== draws.yaml
sweep: draws
seeds: [0, 1]
stages:
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents, documents: 20}
    vocabulary: {size: 300}
    model: {layers: 1, d_model: 24, heads: 2, ffn: 32, max_positions: 64}
    max_length: 32
    steps: 2
    batch: 4
    cases:
      arm:
        dense:    {model.attention: {kind: dense}}
        Big Bird: {model.attention: {kind: masked, length: 32, mask: {kind: bigbird, seed: seed}}}
  finetune:
    job: finetune
    needs: {init: pretrain}
    data: {dataset: synthetic_labelled/sentence, train_examples: 20}
    max_length: 32
    steps: 2
    batch: 4
profiles:
  one_pretraining:
    seeds: [0, 1, 2]
    stages.pretrain:
      seeds: [0]
      grid: {model.attention.mask.seed: [0, 1, 2]}
      when: {model.attention.mask.seed: [{arm: Big Bird}]}
resources: {device: cpu, threads: 1}
===
=== plots/tables/own.yaml
table: own
sweep: draws.yaml
stage: pretrain
metric: dev/mlm_loss
over: [model.attention.mask.seed]
rows: [{axis: arm}]
seeds: 1
===
=== plots/tables/tuned.yaml
table: tuned
sweep: draws.yaml
stage: finetune
metric: dev/score
over: [pretrain.model.attention.mask.seed]
rows: [{axis: pretrain.arm}]
===
$ rethink describe mask/bigbird | grep seed
  seed     seed of the random positions and keys
           integer, at least 0, or seed: the trial's own; default 0

$ rethink run draws.yaml --slots 1 --quiet

# The store has numbers, which `query` and `why` show, and `--where` and `--by` compare.
$ rethink query --where "arm='Big Bird' or pretrain.arm='Big Bird'" --show stage,seed,model.attention.mask.seed --format csv
trial,stage,seed,model.attention.mask.seed
<id>,pretrain,0,0
<id>,pretrain,1,1
<id>,finetune,0,0
<id>,finetune,1,1

$ rethink query --where "stage=pretrain and model.attention.mask.seed=1" --by model.attention.mask.seed --show n --format csv
model.attention.mask.seed,n
1,1

$ rethink why own 'Big Bird' dev/mlm_loss@last | grep 'mask.seed'
    model.attention.mask.seed: 0
    model.attention.mask.seed: 1

# With explicit numbers these trials are done already.
$ for k in 0 1; do rethink plan draws.yaml --seeds $k --set stages.pretrain.arm='Big Bird' --set stages.pretrain.model.attention.mask.seed=$k | grep ^total; done
total                           2        2        2        0        0        0
total                           2        2        2        0        0        0

# Notes below a table distinguish draws from seeds, and seeds of a fine-tuning from those of its pretraining.
$ rethink table own | tail -n 2
no profile; mean ± standard deviation over 2 seeds
each seed has a draw of its own (model.attention.mask.seed): Big Bird

$ rethink run draws.yaml --slots 1 --quiet --profile one_pretraining

$ rethink table own --profile one_pretraining | tail -n 2
profile one_pretraining; one seed, so without a spread
the number of each seed is the mean over 3 draws (model.attention.mask.seed): Big Bird

$ rethink table tuned --profile one_pretraining | grep 'over\|rest'
profile one_pretraining; mean ± standard deviation over 3 seeds
the number of each seed is the mean over 3 draws (pretrain.model.attention.mask.seed): Big Bird
3 seeds of stage 'finetune' rest on 1 seed of stage 'pretrain'

# One pretraining has one draw, so seeds of a fine-tuning cannot each have a separate one.
$ rethink plan draws.yaml --set 'stages.pretrain.seeds=[0]'
draws.yaml:18:19: error: 'model.attention.mask.seed: seed' gives each seed a draw of its own, but stage 'finetune' with seed 1 would start from weights of stage 'pretrain' with seed 0, trained on another draw: give both stages the same seeds, or list the draws in 'pretrain' (grid: {model.attention.mask.seed: [0, 1, 2]})
      needs: {init: pretrain}
                    ^
profiles that can be planned here: --profile one_pretraining
[exit 2]

$ rethink plan draws.yaml --set stages.finetune.batch=seed
--set stages.finetune.batch=seed: error: 'batch': got 'seed', expected an integer
[exit 2]

$ rethink plan draws.yaml --set stages.pretrain.arm='Big Bird' --set stages.pretrain.model.attention.mask.seed=sead
--set stages.pretrain.model.attention.mask.seed=sead: error: 'model.attention.mask.seed': got 'sead', expected an integer, or seed: the trial's own
[exit 2]

$ rethink mask bigbird --set seed=seed
--set seed=seed: error: 'mask.seed': got 'seed', expected an integer
[exit 2]
