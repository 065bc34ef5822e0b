# Another build of the worker goes on from a checkpoint. The build is changed in the program itself, so that the test
# covers the whole way from the code to the table.
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language, sentences: 300}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 4
    evaluate: {splits: [dev]}
resources: {device: cpu, threads: 1}
=== plots/tables/tiny.yaml
table: tiny
sweep: tiny.yaml
stage: lm
metric: dev/loss
rows: [{label: Transformer}]
columns: [{label: loss}]
direction: min
seeds: 1
===
# The letters of the hash are shifted by one; its length must not change.
$ mkdir other && cp $(dirname $(command -v rethink))/rethink-worker $(dirname $(command -v rethink))/schema.json other && build=$(other/rethink-worker version | sed -n 's/^numeric build //p') && sed -i "s/$build/$(echo $build | tr 0-9a-f 1-9a-f0)/" other/rethink-worker && test "$(other/rethink-worker version | sed -n 's/^numeric build //p')" != $build

$ RETHINK_KILL_AT=after_trials_written:1 rethink run tiny.yaml --quiet
<any>
[exit 137]

$ RETHINK_KILL_FOLDER=. RETHINK_KILL_AT=after_checkpoint_publish:1 other/rethink-worker attempt '{"trial": "'$(ls -d store/trials/*)'", "store": "store", "cores": [], "runtime": {"threads": 1, "deterministic": true, "device": "cpu", "data": "", "cache": "cache", "keep_weights": false, "checkpoint_every_s": 0}}'
<any>
[exit 137]

$ rethink run tiny.yaml --quiet

$ rethink logs $(basename $(ls -d store/trials/*)) | grep warning
warning: resumed inexactly at step 1: the checkpoint was made with another build

$ rethink table tiny | grep '^.a'
[a] inexact resume: 1 of 1 trials resumed from a checkpoint made with another build

$ rethink db check --hashes | head -1
numbers: 1 done trial resumed from a checkpoint made with another build: the last bits may differ from an undisturbed run's

# A row whose seeds ran in two builds is marked, in tables, figures and the check of the store.
$ rethink run tiny.yaml --quiet --store two; RETHINK_PROGRAMS=other rethink run tiny.yaml --quiet --store two --seeds 1; rethink table tiny --seeds 0..1 --store two | grep '^.a'
[a] several builds or machines: its trials differ in build; their rounding may, too

$ rethink table tiny --seeds 0..1 --store two --format csv | cut -d , -f 3,20
row,marks
Transformer,several builds or machines

$ rethink figure tiny.yaml --seeds 0..1 --store two >/dev/null 2>&1; grep -c 'several builds or machines' out/figures/tiny/lm_scores.gp
1

$ rethink db check --store two | grep '^numbers'
numbers: done trials differ in build: a table marks cells that average such trials
