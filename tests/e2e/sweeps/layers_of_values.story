# Later layers of values override earlier ones. A key that a stage both fixes and has on an axis is a mistake, and the
# message names the line to delete.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train:
    job: noop
    steps: 2
    tag: fixed
    cases: {arm: {plain: {sleep_ms: 3}, star: {sleep_ms: 4}}}
    grid: {tag: [a, b]}
profiles:
  one: {stages.train: {tag: c}}
===
$ rethink plan s.yaml
s.yaml:9:12: error: 'tag' is on this axis and is also fixed, in line 7: delete 'tag: fixed' there to keep the axis, or the axis to keep the fixed value
      grid: {tag: [a, b]}
             ^
[exit 2]

# The plan follows this advice.
$ sed -i '7{/^ *tag: fixed$/d}' s.yaml; rethink plan s.yaml | sed '1,/^to run/d'
  <id>  train arm=plain tag=a seed=0: new
  <id>  train arm=plain tag=b seed=0: new
  <id>  train arm=star tag=a seed=0: new
  <id>  train arm=star tag=b seed=0: new

# A profile wins over a grid, and --set over a profile.
$ rethink plan s.yaml --profile one --format json | grep '"tag"'
        "tag": "c"
        "tag": "c"

$ rethink plan s.yaml --profile one --set stages.train.tag=d --format json | grep '"tag"'
        "tag": "d"
        "tag": "d"

# A list for an option that is no axis: the message has the `--set` that makes the axis.
$ rethink plan s.yaml --set steps=[3,4]
--set steps=[3,4]: error: 'steps': got a list, expected an integer; only an axis takes a list of values: write it below 'grid', or type --set 'stages.STAGE.grid.steps=[...]'
[exit 2]

$ rethink plan s.yaml --set 'stages.train.grid.steps=[3, 4]' | sed -n 2p
s train                         8        8        0        0        0        8  <any>
