# Two stores are merged, with the choices of a select.
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

# Two copies of one store differ: the additions of both are kept.
$ cp -r theirs one && cp -r theirs two
$ sed -i 's/\[a, b\]/[a, c]/' s.yaml; rethink run s.yaml --store one --quiet; sed -i 's/\[a, c\]/[a, d]/' s.yaml; rethink run s.yaml --store two --quiet
$ rethink db merge one --store both; rethink db merge two --store both
...
$ rethink query "SELECT DISTINCT json_extract(labels, '$.tag') AS tag FROM sweep_trial WHERE stage = 'train' ORDER BY 1" --store both --format csv
tag
a
c
d

$ rethink db check --hashes --store both
...
