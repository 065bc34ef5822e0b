# A store that was copied without its sweeps: gc keeps the weights and checkpoints of its trials, and status counts them.
=== s.yaml
sweep: s
seeds: [0]
keep: weights
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
  fail: {job: noop, steps: 5, fail_at: 4, checkpoint_every: 1}
===
$ rethink run s.yaml --quiet 2>/dev/null; cp -rL store part && rm -r part/sweeps && for t in part/trials/*; do [ ! -e $t/result.json ] || cp -r part/trials/*/checkpoints $t; done
$ head -c 3000000 /dev/zero >"$(ls -d part/trials/*/artifacts | head -n 1)/.weights.safetensors.99.tmp"

$ rethink status --store part
part has no sweep on record, but 3 trials in no sweep: if the store was copied or restored in part, copy the folder `sweeps` of the original store too, or run the sweeps again: rethink run SWEEP --store part

$ rethink status s --store part
no sweep 's': part has no sweep on record, but 3 trials in no sweep: if <any>
[exit 2]

# gc removes the files that are safe to remove: temporary files, and checkpoints of done trials.
$ rethink gc --store part
removed 3.0 MB in 3 places
part/sweeps is missing, so no sweep lists 3 trials with weights or checkpoints (<n> MB); these files were kept. If the store was copied or restored in part, copy the folder `sweeps` of the original store too, or run all its sweeps again; to remove the files: rethink gc --yes --store part
[exit 1]

$ find part/trials -name 'weights*' -o -name 'checkpoint-*' | sed 's,.*/,,' | sort
checkpoint-2
checkpoint-3
weights.safetensors
weights.safetensors

# The same holds after a merge of the copy's trials, and for an empty folder.
$ rethink db merge part --store merged >said && mkdir merged/sweeps && rethink gc --dry-run --store merged
would remove 0.0 MB in 0 places
merged/sweeps has no sweep file, so no sweep lists 2 trials with weights <any>; to remove the files: rethink gc --yes --store merged
[exit 1]

$ rethink gc --store part --yes && find part/trials -name 'weights*' -o -name 'checkpoint-*' && rethink gc --store part
removed 0.0 MB in 3 places
removed 0.0 MB in 0 places

# Copying the folder, or the next run of the sweep, ends this state.
$ cp -r store/sweeps merged && rethink gc --store merged
removed 0.0 MB in 0 places

$ rm -r store/sweeps; rethink run s.yaml --quiet 2>/dev/null; rethink gc && rethink status
removed 0.0 MB in 0 places
s: 2 of 3 done, 1 failed
...

# A store whose sweeps were removed by rm has no such trials.
$ rethink rm s --yes && rethink gc && rethink status
removed sweep s, 3 trials, <n> files, <n> MB
removed 0.0 MB in 0 places
no sweep was run in store yet; begin with: rethink run SWEEP

# One of two sweep files is missing: its weights stay, too.
=== t.yaml
sweep: t
seeds: [0]
keep: weights
stages: {train: {job: noop, steps: 3, tag: t}}
===
$ rethink run t.yaml --store two --quiet && sed 's/^sweep: t/sweep: u/; s/tag: t/tag: u/' t.yaml > u.yaml && rethink run u.yaml --store two --quiet && rethink gc --store two
removed 0.0 MB in 0 places
$ rm $(grep -l '"sweep": *"t"' two/sweeps/*) && rethink db check --store two
sweep t: 1 trial of it is in no file of two/sweeps: its next run with the same options writes one; `rethink db rebuild --store two` deletes the sweep from the record
[exit 1]
$ rethink gc --store two
removed 0.0 MB in 0 places
sweep t: 1 trial of it is in no file of two/sweeps: their checkpoints and artifacts were kept; run the sweep again with the same options, or delete it from the record with `rethink db rebuild --store two`, then run gc again
[exit 1]
$ rethink db rebuild --store two && rethink gc --store two
2 trials, 1 sweep
removed 0.0 MB in 1 place
