// Sweeps of the sample jobs that several tests plan.
#pragma once

namespace rethink {

/// A sweep of three stages with grids, cases and a profile, of the sample jobs.
inline const char* const kMasks = R"(sweep: sparsebert/masks
seeds: [0, 1, 2]
stages:
  pretrain:
    job: pretrain
    seeds: [0]
    data: {dataset: toy}
    model: {preset: bert_mini, attention: {kind: masked}}
    cases:
      arm:
        dense: {model.attention.mask: {kind: none}}
        Star: {model.attention.mask: {kind: star}}
        Strided: {model.attention.mask: {kind: strided}}
    grid: {model.attention.mask.diagonal: [true, false]}
    exclude: [{arm: dense, model.attention.mask.diagonal: false}]
  finetune:
    job: finetune
    needs: {init: pretrain}
    cases:
      task:
        Toy: {data.dataset: toy}
        RTE: {data.dataset: glue/rte, epochs: 10}
    grid: {optimizer.lr: [2e-5, 5e-5]}
  best:
    job: select
    needs: {from: finetune}
    over: [optimizer.lr]
    by: dev/score
profiles:
  smoke: {seeds: [0], stages.pretrain: {steps: 30, model.layers: 3}, stages.finetune: {epochs: null, steps: 10, only: {task: [RTE]}}}
  paper: {}
keep: metrics
)";

/// Sweep of stages that need two others, one of which needs the other. It ends within the last stage.
inline const char* const kJoined = R"(sweep: s
seeds: [0, 1]
stages:
  pretrain:
    job: pretrain
    grid: {batch: [1, 2, 3]}
  mask:
    job: learn_mask
    needs: {init: pretrain}
    grid: {steps: [10, 20]}
  finetune:
    job: finetune
    needs: {init: pretrain, mask: mask}
)";

}  // namespace rethink
