# A trial that continues with other processor instructions than those of its checkpoint says so everywhere.
=== tiny.yaml
sweep: tiny
seeds: [0, 1]
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
seeds: 2
===
$ RETHINK_KILL_AT=after_trials_written:1 rethink run tiny.yaml --quiet
<any>
[exit 137]

# One trial is killed after its first checkpoint, without a driver that would continue it at once.
$ trial=$(ls -d store/trials/* | head -1); RETHINK_KILL_FOLDER=. RETHINK_KILL_AT=after_checkpoint_publish:1 $(dirname $(command -v rethink))/rethink-worker attempt '{"trial": "'$trial'", "store": "store", "cores": [], "runtime": {"threads": 1, "deterministic": true, "device": "cpu", "data": "", "cache": "cache", "keep_weights": false, "checkpoint_every_s": 0}}'
<any>
[exit 137]

$ ONEDNN_MAX_CPU_ISA=AVX2 rethink run tiny.yaml --quiet

$ rethink logs $(basename $(ls -d store/trials/* | head -1)) | grep warning
warning: resumed inexactly at step 1: the checkpoint was made with another setting of a library

$ rethink why $(basename $(ls -d store/trials/* | head -1)) | grep resumed
    resumed inexactly: the checkpoint was made with another setting of a library

$ rethink show $(basename $(ls -d store/trials/* | head -1)) | grep -A 3 Inexact
Inexact resumes
attempt  differs               build
───────  ────────────────────  ─────
      2  setting of a library

$ rethink table tiny
tiny

                      loss ↓
────────────────────────────
Transformer  <any> [a]
────────────────────────────
[a] inexact resume: 1 of 2 trials resumed from a checkpoint made with another setting of a library
no profile; mean ± standard deviation over 2 seeds

# A check compares stored files, and names the facts that it cannot know.
$ rethink db check --hashes
numbers: 1 done trial resumed from a checkpoint made with another setting of a library: the last bits may differ from an undisturbed run's
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# Seeds ran in two environments, each from its beginning.
$ rethink run tiny.yaml --set steps=3 --store two --quiet
$ ONEDNN_MAX_CPU_ISA=AVX2 rethink run tiny.yaml --set steps=3 --seeds 2 --store two --quiet
$ rethink table tiny --set steps=3 --seeds 0,1,2 --store two | grep '^.a'
[a] several builds or machines: its trials differ in setting of a library; their rounding may, too
$ rethink db check --store two | head -1
numbers: done trials differ in setting of a library: a table marks cells that average such trials

