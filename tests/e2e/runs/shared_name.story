# Two people share a store, and each has a sweep of the same name in another folder.
=== ada/ablation.yaml
sweep: ablation
seeds: [0]
stages:
  train: {job: noop, steps: 4, checkpoint_every: 2, fail_at: 3, grid: {tag: [a, b]}}
===
=== ben/ablation.yaml
sweep: ablation
seeds: [0]
stages:
  train: {job: noop, steps: 4, grid: {tag: [b, c]}}
===
$ rethink run ada/ablation.yaml --quiet >/dev/null 2>&1; find store/ -name 'checkpoint-*' | wc -l
2

# Ada moves her file. Ben's run must not take her trials off the record, or gc would remove their checkpoints.
$ mv ada/ablation.yaml moved.yaml; rethink run ben/ablation.yaml --quiet
note: sweep 'ablation' was also run from <any>/ada/ablation.yaml, which is missing: 2 trials that ben/ablation.yaml lacks stay on record; if they are another person's, give ben/ablation.yaml another name (`sweep:`); if nobody wants them: rethink rm <any>/ada/ablation.yaml<any>

$ rethink gc; find store/ -name 'checkpoint-*' | wc -l
removed 0.0 MB in 0 places
2

# A moved file with all its trials replaces its old entry.
$ rethink run moved.yaml --quiet 2>&1 | grep note:
note: sweep 'ablation' is defined in moved.yaml and in <any>/ben/ablation.yaml: `query` and `rm` treat both as one sweep; rename one of them
$ ls store/sweeps | wc -l
2

# The command in the note removes the trials that only the missing file had.
$ rm moved.yaml; rethink run ben/ablation.yaml --quiet 2>&1 | sed 's/.*wants them: //' >command; . ./command --yes
rm would remove sweep ablation, 2 trials, <n> files, <n> MB; give --yes to do it
[exit 2]
$ echo "$(cat command) --yes" >command; . ./command
removed sweep ablation, 2 trials, <n> files, <n> MB
$ rethink status
ablation: 2 of 2 done
no driver is running
