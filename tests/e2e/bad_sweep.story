# A sweep file that cannot be meant: the place, the line and what to do, exit code 2, and nothing is begun.
=== broken.yaml
sweep: broken
stages:
  train: {job: noop, steps: [3
===
$ rethink run broken.yaml
broken.yaml:4:1: error: not valid YAML: end of sequence flow not found
[exit 2]

=== unknown.yaml
sweep: unknown
seeds: [0]
stages:
  train:
    job: noop
    stepz: 3
===
$ rethink run unknown.yaml
unknown.yaml:6:5: error: unknown key 'stepz'; did you mean 'steps'?; known: steps, sleep_ms, fail_at, allocate_mb, tag, checkpoint_every, checkpoint_mb
      stepz: 3
      ^
[exit 2]

$ rethink run rates
there is no sweep 'rates'; name a file, or one of: <any>
[exit 2]

$ ls
broken.yaml
unknown.yaml

$ rethink status
store: there is no store here; give --store DIR, or make one with `rethink run`
[exit 2]
