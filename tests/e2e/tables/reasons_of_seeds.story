# For each seed of a part `why` names the reason for a missing number.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 2, keep: weights, grid: {tag: [a, b]}}
===
=== scores.yaml
from: server
date: 2026-11-20
sweep: s
stage: train
scores: [{where: {tag: a}, seed: 0, test: 60}, {where: {tag: b}, seed: 0, test: 70}, {where: {tag: b}, seed: 1, test: 80}]
===
=== plots/tables/t.yaml
table: t
sweep: s.yaml
stage: train
rows: [{label: sent}]
columns:
  - {label: A, imported: test, where: {tag: a}}
  - {label: B, imported: test, where: {tag: b}}
  - {label: mean, mean_of: [A, B]}
===
$ rethink run s.yaml --quiet && rethink score import scores.yaml | tail -n 1
3 scores added, 0 replaced, 0 already known
$ rethink why t sent mean | grep '^[AB] '
A         60  <id>  not imported  <id>
B         70  <id>  80            <id>
$ rethink table t | grep 'too few seeds'
too few seeds: got 1 to 2, wanted 3
