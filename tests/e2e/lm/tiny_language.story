# A language model on a synthetic language, from the sweep to the table.
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32, attention: {kind: diag_scale}}
    batch: 16
    steps: 20
    log_every: 5
    evaluate: {splits: [dev], keep: best}
    grid:
      model.attention.rate: [0.5, 1]
resources: {device: cpu, threads: 1}
===
=== plots/tables/tiny.yaml
table: tiny
sweep: tiny.yaml
stage: lm
metric: dev/perplexity@best
rows: {axis: model.attention.rate, order: [0.5, 1]}
columns: [{label: perplexity}]
direction: min
seeds: 1
===
$ rethink run tiny.yaml --slots 1
started   <id>  lm model.attention.rate=0.5 seed 0
done      <id>  lm model.attention.rate=0.5 seed 0  <t>  dev/perplexity@best <n>
started   <id>  lm model.attention.rate=1 seed 0
done      <id>  lm model.attention.rate=1 seed 0  <t>  dev/perplexity@best <n>
2 of 2 trials done
next: rethink table tiny

$ rethink run tiny.yaml
2 of 2 trials done
next: rethink table tiny

$ rethink table tiny
tiny

<any>perplexity ↓
─<any>
0.5  <any> [a]
1    <any> [a]
─<any>
[a] the reported step was selected on the reported split, dev
...
no profile; one seed, so without a spread

# Killed after its first checkpoint and resumed, it ends with the same numbers and weights.
$ RETHINK_KILL_AT=after_checkpoint_publish:1 rethink run tiny.yaml --set checkpoint_every=0 --store killed --slots 1
started   <id>  lm model.attention.rate=0.5 seed 0
killed    <id>  lm model.attention.rate=0.5 seed 0: ended by signal 9 (Killed); it is tried again
started   <id>  lm model.attention.rate=0.5 seed 0
goes on   <id>  lm model.attention.rate=0.5 seed 0 from step 1 of 20
done      <id>  lm model.attention.rate=0.5 seed 0  <t>  dev/perplexity@best <n>
started   <id>  lm model.attention.rate=1 seed 0
done      <id>  lm model.attention.rate=1 seed 0  <t>  dev/perplexity@best <n>
2 of 2 trials done
next: rethink table tiny --set checkpoint_every=0 --store killed

$ for store in store killed; do rethink query 'SELECT * FROM metric' --store $store >$store.rows; done; diff store.rows killed.rows

$ for store in store killed; do grep -o '"weights_sha256":"[0-9a-f]\{64\}"' $store/trials/*/result.json | sed 's,.*/trials/,,' >$store.hashes; done; diff store.hashes killed.hashes && wc -l <killed.hashes
2
