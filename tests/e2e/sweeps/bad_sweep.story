# A sweep file with a mistake gives the place, the line, advice and exit code 2, and no trial begins.
=== broken.yaml
sweep: broken
stages:
  train: {job: noop, steps: [3
===
$ rethink run broken.yaml
broken.yaml:3:29: error: this '[' is not closed
    train: {job: noop, steps: [3
                              ^
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

=== latin.sh
printf 'sweep: latin\nstages:\n  train: {job: noop, tag: caf\351}\n' > latin.yaml
===
$ sh latin.sh; rethink run latin.yaml; status=$?; rm latin.*; exit $status
latin.yaml:3:30: error: not UTF-8 from here; convert the text first (iconv -f LATIN1 -t UTF-8, or from what it is)
    train: {job: noop, tag: caf\xe9}
                               ^
[exit 2]

# Copied text may have letters that look like a space, or that are invisible.
=== blanks.sh
printf 'sweep: a\nstages:\n  train:\n    job: noop\n    steps:\302\2402\n' > after.yaml
printf 'sweep: a\nstages:\n  train:\n    job: noop\n    steps: 2\302\240\n' > end.yaml
printf 'sweep: a\nstages:\n  train:\n    job: noop\n    st\342\200\213eps: 2\n' > within.yaml
printf 'sweep: a\nstages:\n  train:\n    job: noop\n    cases: {arm: {a: {tag: x}}}\n    tag: "caf\303\251\302\240"\n' > meant.yaml
printf 'sweep: a\nstages:\n  train:\n    job: noop\n    tag: x\302\205\n' > text.yaml
printf 'sweep: a\nstages:\n  train: {job: noop, stepz: 2, tag: "\342\235\244\357\270\217\342\200\215\360\237\224\245"}\n' > emoji.yaml
===
$ sh blanks.sh; for file in after end within text emoji meant; do rethink plan $file.yaml 2>&1 | grep -aE 'error|column|to run|trial' | head -3; rm $file.yaml; done; rm blanks.sh
after.yaml:5:5: error: got 'steps: 2': a space is missing after its ':'
  column 11 has a no-break space (U+00A0), which is no space
end.yaml:5:12: error: got '2 ', which ends with a no-break space (U+00A0); remove it, or put the value in quotes if it is meant
  column 13 has a no-break space (U+00A0), which is no space
within.yaml:5:5: error: unknown key 'st​eps'; known: steps, sleep_ms, fail_at, allocate_mb, tag, checkpoint_every, checkpoint_mb
  column 7 has a zero-width space (U+200B), which cannot be seen
text.yaml:5:10: error: got 'x\u0085', which ends with a next-line mark (U+0085); remove it, or put the value in quotes if it is meant
  column 11 has a next-line mark (U+0085), which is no space
emoji.yaml:3:22: error: unknown key 'stepz'; did you mean 'steps'?; known: steps, sleep_ms, fail_at, allocate_mb, tag, checkpoint_every, checkpoint_mb
<any>

=== empty_seeds.yaml
sweep: empty
seeds:
stages:
  train: {job: noop}
===
$ rethink plan empty_seeds.yaml
empty_seeds.yaml:2:1: error: 'seeds' has no value; expected a list, [...]
  seeds:
  ^
[exit 2]

# A terminal would obey this text.
=== escape.yaml
sweep: escape
stages:
  train: {job: noop, steps: "\e[31mq"}
===
$ rethink plan escape.yaml
escape.yaml:3:29: error: 'steps': got the text '\x1b[31mq', expected an integer; remove the quotes
    train: {job: noop, steps: "\e[31mq"}
                              ^
[exit 2]

# `plan` reports the mistakes that `run` would report first.
=== choice.yaml
sweep: choice
stages:
  train: {job: noop, grid: {steps: [3, 4]}}
  best: {job: select, needs: {from: train}, over: [steps], by: dev/scor}
===
$ rethink plan --check choice.yaml
choice.yaml:4:64: error: 'by': got 'dev/scor', which stage 'train' (job noop) will not have; did you mean 'dev/score'?; it will have: train/loss, dev/score
    best: {job: select, needs: {from: train}, over: [steps], by: dev/scor}
                                                                 ^
[exit 2]

# The worker of this test has no plug-in for GPUs.
=== device.yaml
sweep: device
resources: {device: cuda, threads: 4000}
stages:
  train: {job: noop}
===
$ rethink plan device.yaml
device.yaml:2:21: error: 'resources.device': got cuda, but rethink can use no GPU here (`rethink doctor` says why); write device: auto, or give --device cpu
  resources: {device: cuda, threads: 4000}
                      ^
device.yaml:2:36: error: 'resources.threads': got 4000, expected at most <n>, the cores available here; change it here or with --set resources.threads=<n>
  resources: {device: cuda, threads: 4000}
                                     ^
[exit 2]

$ rethink run device.yaml --device cpu --set resources.threads=1 --quiet

$ rethink run device.yaml --device cuda --set resources.threads=1
--device: error: got cuda, but rethink can use no GPU here (`rethink doctor` says why); leave the option out, or give --device cpu
[exit 2]

# A profile is checked even if nobody chooses it.
=== profile.yaml
sweep: profile
stages:
  train: {job: noop, grid: {steps: [3, 4]}}
profiles:
  smoke: {stages.train: {steps: 1}}
  paper: {stages.train: {sleep_msec: 1}}
===
$ rethink run profile.yaml --profile smoke
profile.yaml:6:26: error: profile 'paper': unknown key 'sleep_msec'; did you mean 'sleep_ms'?; known: steps, sleep_ms, fail_at, allocate_mb, tag, checkpoint_every, checkpoint_mb
    paper: {stages.train: {sleep_msec: 1}}
                           ^
[exit 2]

=== draws.yaml
sweep: draws
stages:
  train: {job: noop, random: {count: 20, steps: {integer: [1, 3]}}}
===
$ rethink plan draws.yaml
draws.yaml:3:30: note: 20 random draws of stage 'train' gave 3 different points; a draw that repeats an earlier one is left out
...

$ rethink plan draws.yaml --seeds 0..1000000
--seeds: got '0..1000000', expected at most 100000 seeds
[exit 2]

$ rethink plan draws.yaml --max-trials -1
--max-trials: got '-1', expected a whole number, 0 or more
[exit 2]

$ rethink plan draws.yaml --path nowhere
--path: got 'nowhere', expected a folder that exists
[exit 2]

$ rm -r "$(realpath store)"; rm -f store; ls
broken.yaml
choice.yaml
device.yaml
draws.yaml
empty_seeds.yaml
escape.yaml
profile.yaml
unknown.yaml

$ rethink status
store: there is no store here; give --store DIR, or make one with `rethink run SWEEP`
[exit 2]

$ rethink retry broken
store: there is no store here; give --store DIR, or make one with `rethink run SWEEP`
[exit 2]

# Signs that look like those of YAML and of numbers.
=== signs.sh
printf 'sweep: s\nstages:\n  train: {job: noop, steps\357\274\2323}\n' > colon.yaml
printf 'sweep: s\nseeds: [0\357\274\2141]\nstages:\n  train: {job: noop}\n' > comma.yaml
printf 'sweep: s\nstages:\n  train: {job: noop, fail_at: \342\210\2221}\n' > minus.yaml
===
$ sh signs.sh; for file in colon comma minus; do rethink plan $file.yaml 2>&1 | grep -a 'column [0-9]* has' | head -1; rm $file.yaml; done; rm signs.sh
  column 27 has a full-width colon (U+FF1A), which is no ':'
  column 10 has a full-width comma (U+FF0C), which is no ','
  column 31 has a minus sign (U+2212), which is no '-'
