# The options of a run stay on record, whatever runs later.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
===
=== other.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 5, tag: other}
===
$ rethink run s.yaml --quiet
$ rethink run s.yaml --quiet --set stages.train.steps=3
$ rethink run s.yaml --quiet --seeds 7
$ rethink run s.yaml --quiet

$ rethink status
s: 6 of 6 done
  2 of 2 done, by: rethink run s.yaml
  2 of 2 done, by: rethink run s.yaml --seeds 7
  2 of 2 done, by: rethink run s.yaml --set stages.train.steps=3
no driver is running

$ rethink query "SELECT count(DISTINCT trial) AS trials FROM sweep_trial" --format csv
trials
6

$ rethink gc
removed 0.0 MB in 0 places

# Another file with the same name adds to the sweep, and says so.
$ rethink run other.yaml --quiet
note: sweep 's' is defined in other.yaml and in <any>/s.yaml: `query` and `rm` treat both as one sweep; rename one of them

$ rethink status s.yaml
s (s.yaml): 6 of 6 done
...
no driver is running
$ rethink status s | grep '^s'
s (other.yaml): 1 of 1 done
s (s.yaml): 6 of 6 done

# No sweep has this name: the file's name differs from its sweep's, the sweep was not run, or the name is misspelt.
$ cp s.yaml never.yaml; for name in s.yml other never.yaml othr.yaml; do rethink status $name; done; rm never.yaml
no sweep 's.yml' was run in store; did you mean 's'?; known: s
no sweep 'other' was run in store; did you mean 's'?; known: s
no sweep 'never.yaml' was run in store; `rethink run never.yaml` runs it; known: s
no sweep 'othr.yaml' was run in store; did you mean 's'?; known: s

# The command that resumes a run has all options of this run, in any folder.
=== mine/sweeps/n.yaml
sweep: n
seeds: [0]
stages:
  train: {job: noop, preset: short, grid: {tag: [a, b]}}
profiles:
  long: {stages.train: {steps: 4}}
===
=== mine/presets/noop/short.yaml
steps: 2
===
$ mkdir texts elsewhere && rethink run n --path mine --data texts --profile long --device cpu --store kept --max-trials 1 --quiet
1 of 2 trials run, 1 left (--max-trials 1); the same command continues

$ rethink status --store kept
n --profile long: 1 of 2 done, 1 ready
  resume with: rethink run mine/sweeps/n.yaml --profile long --path mine --data texts --device cpu --store kept
no driver is running

$ cd elsewhere && rethink status --store ../kept | sed -n 's/.*resume with: //p' >command && grep -o ' --profile.*' command
 --profile long --path <any>/mine<any> --data <any>/texts<any> --device cpu --store ../kept

$ cd elsewhere && . ./command 2>/dev/null && rethink status --store ../kept
n --profile long: 2 of 2 done
no driver is running

# A sweep with all its choices is removed on request.
$ rethink rm s < /dev/null
rm would remove sweep s (4 choices), 7 trials, <n> files, <n> MB; give --yes to do it
[exit 2]

$ rethink rm other.yaml --yes
removed sweep s, 1 trial, <n> files, <n> MB

$ rethink rm s --dry-run
would remove sweep s (3 choices), 6 trials, <n> files, <n> MB

$ rethink rm s --yes
removed sweep s (3 choices), 6 trials, <n> files, <n> MB

$ rethink status
no sweep was run in store yet; begin with: rethink run SWEEP

# One of its profiles can also be removed.
=== p.yaml
sweep: p
seeds: [0]
stages:
  train: {job: noop, steps: 2}
profiles:
  long: {stages: {train: {steps: 3}}}
===
$ rethink run p.yaml --quiet && rethink run p.yaml --profile long --quiet
$ rethink rm p --profile large --yes
store: sweep 'p' was not run with --profile large; known: '', long
[exit 2]

$ rethink rm p --profile long --yes
removed sweep p --profile long, 1 trial, <n> files, <n> MB
$ rethink rm p --profile '' --yes
removed sweep p, 1 trial, <n> files, <n> MB

# `table --run` runs the missing trials of its cells, and puts the whole sweep on record.
=== u.yaml
sweep: u
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
===
=== plots/tables/u.yaml
table: u
sweep: u.yaml
stage: train
where: {tag: a}
metric: dev/score@last
rows: {axis: tag, order: [a]}
columns: [{label: score}]
direction: max
seeds: 1
===
$ rethink table u --run --quiet
...

$ rethink status u
u: 1 of 2 done, 1 not started
  to start these: rethink run <any>
...

# `plan` accepts the options of `run`.
=== limited.yaml
sweep: limited
seeds: [0]
stages:
  train: {job: noop, grid: {steps: [1, 2, 3]}}
===
$ rethink plan limited.yaml --slots 1 --fail-fast --max-trials 1
stage                      trials distinct     done  running    ended   to run
limited train                   3        3        0        0        0        3  time and disk unknown
...

# A sweep that is named twice runs once, and more slots than cores cause a note.
$ rethink plan limited.yaml ./limited.yaml --check --slots 4096

$ rethink plan limited.yaml ./limited.yaml
stage                      trials distinct     done  running    ended   to run
limited train                   3        3        0        0        0        3  time and disk unknown
...

$ rethink plan limited.yaml --slots 4096 2>&1 | grep -c 'note: 4096 slots share'
1

$ rethink plan limited.yaml --slots -1
--slots: got '-1', expected a whole number from 1 to 4096
[exit 2]

$ rethink plan limited.yaml --slots 0
--slots: got '0', expected a whole number from 1 to 4096
[exit 2]

$ rethink plan limited.yaml --executor local
rethink plan: unrecognised option '--executor'; leave it out to run trials on this machine, and give `rethink run SWEEP --site NAME` to run them elsewhere; see `rethink plan --help`
[exit 2]

# A limit on request is not a failure, but the sweep is not called complete.
$ rethink run limited.yaml --max-trials 2 --quiet
2 of 3 trials run, 1 left (--max-trials 2); the same command continues

$ rethink run limited.yaml --max-trials 2 --quiet

# Estimates use the measurements of done trials.
=== large.yaml
sweep: large
seeds: [0]
stages:
  train: {job: noop, steps: 7, checkpoint_every: 1, checkpoint_mb: 1, grid: {tag: [a, b]}}
===
$ rethink run large.yaml --max-trials 1 --quiet
1 of 2 trials run, 1 left (--max-trials 1); the same command continues

$ rethink plan large.yaml
...
large train                     2        2        1        0        0        1  under a minute of one slot, <n> kB and 2 MB of checkpoints a slot
...

$ rethink table u --out /proc/x
...
--out: cannot make the folder /proc/x/tables: No such file or directory; name another place
[exit 2]

$ rethink report --quiet --out /proc/x
...
--out: cannot make the folder /proc/x: No such file or directory; name another place
[exit 2]

$ rethink bench
usage: noop_worker <any>
[exit 2]

# A name that is longer than the column widens it for all.
=== long.yaml
sweep: a_paper_with_a_name/importance
stages:
  importance: {job: noop, steps: 1, tag: long_name}
===
$ rethink plan long.yaml | head -n 2
stage                                       trials distinct     done  running    ended   to run
a_paper_with_a_name/importance importance        1        1        0        0        0        1<any>
