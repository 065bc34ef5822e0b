# `retry` of a sweep applies to the trials of its present file, not to those at the time of its run.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 5, cases: {arm: {a: {fail_at: 1}, b: {fail_at: 2}}}}
===
$ rethink run s.yaml --quiet 2>/dev/null
[exit 1]

# `plan` names the command that runs failed trials again.
$ rethink plan s.yaml
stage                      trials distinct     done  running    ended   to run
s train                         2        2        0        0        2        0  2 failed

to repeat failed and cancelled trials: rethink retry s.yaml && rethink run s.yaml

$ rethink run s.yaml --set 'stages.train.steps=4' --quiet 2>/dev/null
[exit 1]

$ sed -i 's/b: {fail_at: 2}/b: {fail_at: 3}/' s.yaml; rethink retry s.yaml
2 trials may run again; left out 2 trials that the sweep does not have any more: name a trial by its id to retry it

$ rethink retry $(rethink query "SELECT id FROM trial WHERE state = 'failed' ORDER BY id LIMIT 1" --format csv | tail -n 1)
1 trial may run again

$ echo 'stagse: 1' >> s.yaml; rethink retry s
<any>s.yaml: note: has mistakes now (`rethink plan <any>s.yaml<any>` names them), so the trials of its last run are used
1 trial may run again
