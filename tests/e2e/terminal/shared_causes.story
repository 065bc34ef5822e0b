# A cause that several trials share is printed once, with their number.
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3]
stages:
  train: {job: noop, steps: 3, cases: {arm: {bad: {fail_at: 1}, worse: {fail_at: 2}, good: {tag: x}}}}
===
$ rethink run s.yaml --quiet
failed, 4 trials: fail_at: step 1 fails
  <id>  train arm=bad seed 0
  <id>  train arm=bad seed 1
  <id>  train arm=bad seed 2
  ... and 1 more; `rethink status --all` lists them
  log of the first: <any>/log
failed, 4 trials: fail_at: step 2 fails
  <id>  train arm=worse seed 0
...
[exit 1]

$ rethink status
s: 4 of 12 done, 8 failed
  failed, 4 trials: fail_at: step 1 fails
    <id>  train arm=bad seed 0  <t>
    <id>  train arm=bad seed 1  <t>
    <id>  train arm=bad seed 2  <t>
    <id>  train arm=bad seed 3  <t>
  failed, 4 trials: fail_at: step 2 fails
    <id>  train arm=worse seed 0  <t>
...
no driver is running

# With many trials three of each cause are named, so that every cause is visible.
$ rethink run s.yaml --seeds 0..7 --quiet 2>/dev/null
[exit 1]

$ rethink status
s: 8 of 24 done, 16 failed
...
  failed, 8 trials: fail_at: step 1 fails
    <id>  train arm=bad seed 0  <t>
    <id>  train arm=bad seed 1  <t>
    <id>  train arm=bad seed 2  <t>
  failed, 8 trials: fail_at: step 2 fails
    <id>  train arm=worse seed 0  <t>
    <id>  train arm=worse seed 1  <t>
    <id>  train arm=worse seed 2  <t>
  ... and 10 more; --all lists every trial
no driver is running

$ rethink status --all | grep -c ' seed '
24
