# No run brings imported scores back: commands that remove them, or advise to, say so.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2, keep: weights, grid: {tag: [a, b]}}
===
=== scores.yaml
from: server
date: 2026-11-20
sweep: s
stage: train
scores: [{where: {tag: a}, test: 66.9}]
===
$ rethink run s.yaml --quiet; RETHINK_KILL_AT=after_scores_written:1 rethink score import scores.yaml >said 2>&1; rethink db check
trial <id>: store/trials/<id>/scores.json and the database have different scores; the same `rethink score import` again makes the rows, too
`rethink db rebuild` rebuilds the rows from the folders
[exit 1]
$ rethink score import scores.yaml; rethink db check --hashes
0 scores added, 0 replaced, 1 already known; the database lacked rows of 1 trial: they were made again
the database is sound and <any>

$ for trial in store/trials/*; do [ ! -e $trial/scores.json ] || basename $trial > trial; done; rm store/trials/$(cat trial)/artifacts/weights.safetensors; rethink db check
trial <id>: <any>weights.safetensors is missing; to restore it: rethink rm <id>, then run its sweep, then import its scores again, which rm removes
[exit 1]
$ rethink rm $(cat trial) --dry-run
would remove 1 trial, <n> files, <n> MB, the imported scores of 1 trial

# A rebuild that loses them does not promise that a run restores them.
$ rm store/trials/$(cat trial)/scores.json; rethink db rebuild
trial <id>: its folder lacks the result or numbers that the old database has; the next run of its sweep makes them again, but not imported scores
1 trial lost numbers: <any>
2 trials, 1 sweep
[exit 1]
