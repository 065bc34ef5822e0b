# While a driver works on the store, commands that run missing trials for tables, figures and claims pass exactly these
# trials to the driver, wait for them, and continue.
=== first.yaml
sweep: first
seeds: [0]
stages:
  train: {job: noop, steps: 15, sleep_ms: 200, tag: first}
===
=== second.yaml
sweep: second
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b, c]}}
profiles:
  smoke: {}
===
=== plots/tables/mine/t.yaml
table: mine/t
sweep: second.yaml
stage: train
metric: dev/score
rows: [{label: a, where: {tag: a}}]
columns: [{label: score}]
direction: max
seeds: 1
===
=== plots/figures/mine/f.yaml
figure: mine/f
kind: bars
sweep: second.yaml
stage: train
metric: dev/score
series: [{label: b, where: {tag: b}}]
seeds: 1
===
=== begun
for look in $(seq 600); do ls store/trials/*/attempt-1 >/dev/null 2>&1 && break; sleep 0.05; done
===
$ rethink run first.yaml --slots 2 --set stages.train.steps=40 2>driver.log & . ./begun; rethink table plots/tables/mine/t.yaml --run --priority before 2>table.log; echo table $?; rethink figure plots/figures/mine/f.yaml --run 2>figure.log; echo figure $?; wait; grep -h '^queued' table.log figure.log; grep -o 'run by .*' driver.log
...
table 0
out/figures/mine/f.svg
...
figure 0
queued with the driver, process <n> on <any>: second, 1 trial
queued with the driver, process <n> on <any>: second, 1 trial
run by <any>, process <n> on <any>: second, 1 trial before the others
run by <any>, process <n> on <any>: second, 1 trial after the others

# The third trial of the sweep is on record, but no command needs it.
$ rethink status second | head -1
second: 2 of 3 done, 1 not started

# A whole paper is made.
$ rm -r store/*; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink reproduce mine 2>paper.log; echo exit $?; wait; grep '^queued\|^2 trials' paper.log; rethink status | sed 's/ (.*//'
out/index.html
exit 0
2 trials to run<any>
queued with the driver, process <n> on <any>: second --profile smoke, 2 trials
first: 1 of 1 done
second --profile smoke: 2 of 3 done, 1 not started
...

# After Ctrl-C the passed trials stay in the queue.
=== recorded
for look in $(seq 600); do rethink status 2>/dev/null | grep -q ^second && break; sleep 0.05; done
===
=== queued
for look in $(seq 600); do grep -q '^queued' table.log 2>/dev/null && break; sleep 0.05; done
===
$ rm -r store/* table.log; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink table plots/tables/mine/t.yaml --run 2>table.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; echo exit $?; cat table.log; wait
exit 130
queued with the driver, process <n> on <any>: second, 1 trial
0 of 1 trial done; they stay in the queue of the driver, process <n> on <any>
to take them out of every sweep that has them: rethink cancel <id>; to watch them: rethink status --watch

# The advised command leaves other trials of the sweep alone.
$ rm -r store/* table.log; rethink run first.yaml --slots 1 --set stages.train.steps=60 --quiet & . ./begun; rethink run second.yaml --quiet 2>/dev/null & . ./recorded; rethink table plots/tables/mine/t.yaml --run 2>table.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; $(grep -o 'rethink cancel [^;]*' table.log) >cancel.log; wait; rethink status second | head -1
second: 2 of 3 done, 1 cancelled

# More than eight trials are not named; the message then says what else the command takes.
=== many.yaml
sweep: many
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b, c, d, e, f, g, h, i, j]}}
===
=== plots/tables/mine/nine.yaml
table: mine/nine
sweep: many.yaml
stage: train
metric: dev/score
rows: {axis: tag, order: [a, b, c, d, e, f, g, h, i]}
columns: [{label: score}]
direction: max
seeds: 1
===
=== left
rm -rf store/* table.log; rethink run first.yaml --slots 1 --set stages.train.steps=40 --quiet & . ./begun
rethink table $1 --run 2>table.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; tail -1 table.log; wait
===
$ for table in plots/tables/mine/nine.yaml many.yaml; do sh left $table; done
to take them out, with the sweep's other unfinished trials: rethink cancel <any>many.yaml<any> --one-run; to watch them: rethink status --watch
to take them out: rethink cancel <any>many.yaml<any> --one-run; to watch them: rethink status --watch

# If the driver is killed, the table is made nevertheless.
$ rm -r store/* table.log; rethink run first.yaml --slots 1 --quiet & driver=$!; . ./begun; rethink table plots/tables/mine/t.yaml --run 2>table.log >/dev/null & asked=$!; . ./queued; kill -KILL $driver; wait $asked; echo exit $?; grep -c 'this command continues by itself' table.log
exit 0
1

$ rethink run first.yaml --quiet

# An invalid priority is a mistake even without a driver.
$ rethink table plots/tables/mine/t.yaml --run --priority first
--priority: got 'first', expected after, beside or before
[exit 2]
