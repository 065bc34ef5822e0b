# An encoder cannot load a decoder's weights, nor the reverse; this is reported before anything runs.
=== kinds.yaml
sweep: kinds
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    steps: 3
    grid: {optimizer.lr: [0.01, 0.001]}
  best: {job: select, needs: {from: lm}, over: [optimizer.lr], by: dev/score}
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny}
    steps: 3
  finetune:
    job: finetune
    needs: {init: lm}
    data: {dataset: synthetic_labelled/sentence}
    steps: 3
  finetune_best:
    job: finetune
    needs: {init: best}
    data: {dataset: synthetic_labelled/sentence}
    steps: 3
===
$ rethink plan --check kinds.yaml
kinds.yaml:18:19: error: job 'finetune' loads encoder weights, but stage 'lm' (job lm) writes decoder weights; name in 'init' a stage that writes encoder weights
      needs: {init: lm}
                    ^
kinds.yaml:23:19: error: job 'finetune' loads encoder weights, but stage 'lm' (job lm) writes decoder weights; name in 'init' a stage that writes encoder weights
      needs: {init: best}
                    ^
[exit 2]

$ rethink plan --check kinds.yaml --set stages.finetune.needs.init=pretrain --set stages.finetune_best.needs.init=pretrain

=== looks.yaml
sweep: looks
seeds: [0]
stages:
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny}
    steps: 3
  look: {job: analyze, needs: {init: pretrain}, analysis: {kind: attention_statistics, layer: 1}}
===
$ rethink plan --check looks.yaml
looks.yaml:9:38: error: analysis 'attention_statistics' loads decoder weights, but stage 'pretrain' (job pretrain) writes encoder weights; name in 'init' a stage that writes decoder weights
    look: {job: analyze, needs: {init: pretrain}, analysis: {kind: attention_statistics, layer: 1}}
                                       ^
[exit 2]
