# Trials of a run with --set are found again: commands name these settings, and --like-last-run uses them.
=== tables/t.yaml
table: t
sweep: s
stage: train
metric: dev/score
rows: {axis: tag}
direction: max
seeds: 1
===
=== sweeps/s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
profiles:
  long: {stages.train: {steps: 4}}
===
=== claims/c.yaml
claims: c
list:
  - {claim: a_is_better, says: a is better, source: here, table: t, column: dev/score@last, test: better, row: a, than: b}
===
=== figures/f.yaml
figure: f
kind: bars
sweep: s
stage: train
metric: dev/score
series: {axis: tag}
seeds: 1
===
$ rethink run s --quiet --profile long --max-trials 1
1 of 2 trials run, 1 left (--max-trials 1); the same command continues
$ rethink run s --quiet --set 'stages.train.tag=[a, b]' --set stages.train.steps=3
$ rethink table t 2>&1 >/dev/null
s: 2 of 2 trials done under --set 'stages.train.tag=[a, b]' --set stages.train.steps=3: rethink table t --set 'stages.train.tag=[a, b]' --set stages.train.steps=3
s: 1 of 2 trials done under --profile long: rethink table t --profile long
[exit 1]

# The printed command works as it is.
$ rethink table t 2>&1 >/dev/null | sed -n '1s/.*: rethink/rethink/p' >told; sh told 2>&1 | head -1
t

$ rethink figure f 2>&1 | sed -n 2p
s: 2 of 2 trials done under --set <any>: rethink figure f --set <any>

$ rethink claims c 2>&1 >/dev/null | head -1
s: 2 of 2 trials done under --set <any>: rethink claims c --set <any>

$ rethink status | grep -c 'by: rethink run s\|resume with: rethink run s'
2

# --like-last-run takes the settings of the newest run at once.
$ rethink table t --like-last-run 2>&1 >/dev/null
settings of the newest run of s: --set 'stages.train.tag=[a, b]' --set stages.train.steps=3
$ rethink why t --like-last-run 2>&1 | head -1
settings of the newest run of s: --set 'stages.train.tag=[a, b]' --set stages.train.steps=3

$ rethink run s --quiet --profile long; rethink claims c --like-last-run 2>&1 >/dev/null
settings of the newest run of s: --profile long

# Trials that the table shows already are not named, whatever settings they were run with.
$ rethink table t --profile long --seeds 0,1 2>&1 >/dev/null | grep 'done under'
s: 2 of 2 trials done under --set 'stages.train.tag=[a, b]' --set stages.train.steps=3: rethink table t <any>

# Nor are settings of a stage that the table does not show.
=== sweeps/two.yaml
sweep: two
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
  later: {job: noop, steps: 2, grid: {tag: [c, d]}}
===
$ sed 's/sweep: s/sweep: two/; s/table: t/table: two/' tables/t.yaml >tables/two.yaml; rethink run two --quiet --set stages.later.steps=5 --only later; rethink table tables/two.yaml 2>&1 | grep -c 'done under'; rethink run two --quiet --set stages.train.steps=5 --only train; rethink table tables/two.yaml 2>&1 | grep 'done under'
0
two: 2 of 2 trials done under --set stages.train.steps=5: rethink table tables/two.yaml --set stages.train.steps=5

$ rethink table s --like-last-run --profile long
--like-last-run takes the settings of the newest run, so that --profile long cannot be given with it; leave out one of them
[exit 2]

$ rethink figure f --like-last-run --store empty
empty: there is no store here: nothing has run
<any>no run of <any>sweeps/s.yaml is on record in empty
[exit 2]

# A report of trials that wait says the same.
$ rethink report s 2>&1 >/dev/null | grep 'done under' | sed -n '1,2p'
s: <n> of 2 trials done under <any>: rethink report s --<any>
s: <n> of 2 trials done under <any>: rethink report s --<any>

# A report takes the settings of each of its parts, and names them.
=== sweeps/u.yaml
sweep: u
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
===
$ rethink run u --quiet --seeds 1; rethink report s --like-last-run 2>&1 | grep -v 'not complete'; grep -o 'chosen</th>.*' out/report.html
settings of the newest run of s: --profile long
out/report.html
chosen</th><td class="words">profile long</td></tr>

$ rethink report t u --like-last-run 2>&1 | grep '^settings'; grep -o 'chosen</th>.*' out/report.html
settings of the newest run of s: --profile long
settings of the newest run of u: --seeds 1
chosen</th><td class="words">t: profile long; u: --seeds 1</td></tr>

$ rm -r out; rethink report s --like-last-run --set stages.train.steps=3; code=$?; [ -e out ] && echo written; exit $code
--like-last-run takes the settings of the newest run, so that --set stages.train.steps=3 cannot be given with it; leave out one of them
[exit 2]
