# Two stores become one, with what a select chose.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 1, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
===
$ rethink run s.yaml --store theirs --quiet
$ rethink db merge theirs --store ours
...
$ rethink db check --hashes --store ours
...
$ rethink status --store ours
s: 3 of 3 done
...
$ rethink run s.yaml --store ours --quiet
