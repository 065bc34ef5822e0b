# A store is a queue: `run` passes its sweep to the store's driver, and shows its progress.
=== first.yaml
sweep: first
seeds: [0]
stages:
  train: {job: noop, steps: 10, sleep_ms: 200, tag: first}
===
=== second.yaml
sweep: second
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
===
=== begun
for look in $(seq 600); do ls store/trials/*/attempt-1 >/dev/null 2>&1 && break; sleep 0.05; done
===
$ rethink run first.yaml --slots 1 2>driver.log & . ./begun; rethink run second.yaml --slots 1; code=$?; wait; exit $code
--slots: note: has no effect in the queue of a driver, whose own slots run the trials
queued with the driver, process <n> on <any>: second, 2 trials
...
done      <id>  train tag=<any> seed 0  <t>  dev/score@last <n>
...
2 of 2 trials done
next: rethink table second.yaml or rethink figure second.yaml

$ grep -o 'run by .*' driver.log; tail -2 driver.log
run by <any>, process <n> on <any>: second, 2 trials after the others
1 of 1 trials done
next: rethink table first.yaml or rethink figure first.yaml

# The trials of both are on record, and nothing runs twice.
$ rethink status
first: 1 of 1 done
second: 2 of 2 done
no driver is running

# A command for a sweep that the driver already has ends with this sweep.
$ rm -r store/*; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink run first.yaml --quiet; code=$?; wait; rethink status; exit $code
first: 1 of 1 done
no driver is running

# The exit code depends on its own trials, whose lines are those of a driver.
=== failing.yaml
sweep: failing
seeds: [0]
stages:
  train: {job: noop, steps: 2, fail_at: 1}
===
$ rm -r store/*; rethink run first.yaml --slots 1 --quiet & driver=$!; . ./begun; rethink run failing.yaml 2>queued.log; echo queued $?; grep 'failed\|  log' queued.log; wait $driver; echo driver $?
queued 1
failed    <id>  train seed 0  <t>: fail_at: step 1 fails
failed: <id>  train seed 0: fail_at: step 1 fails
  log: <any>/attempt-1/log
0 of 1 trials done, 1 failed
to repeat failed and cancelled trials: <any>
driver 0

# On a terminal the command shows the driver's progress.
$ if command -v script >/dev/null; then rm -r store/*; rethink run first.yaml --slots 1 --quiet & . ./begun; TERM=xterm script -qec 'rethink run second.yaml' /dev/null </dev/null >shown; wait; grep -ao '0/2 done, 0 running, 2 waiting' shown | head -1; else echo '0/2 done, 0 running, 2 waiting'; fi
0/2 done, 0 running, 2 waiting

# With `--priority before` the sweep's ready trials start first, and running trials go on.
=== many.yaml
sweep: many
seeds: [0]
stages:
  train: {job: noop, steps: 10, sleep_ms: 200, grid: {tag: [a, b, c]}}
===
$ rm -r store/*; rethink run many.yaml --slots 1 2>driver.log & . ./begun; rethink run second.yaml --priority before --quiet; wait; grep -o '^done .*' driver.log | sed 's/^done *[0-9a-f]* *//; s/ seed.*//'
train tag=a
train tag=a
train tag=b
train tag=b
train tag=c

# With `--priority beside` the sweeps take turns, a free slot each.
=== three.yaml
sweep: three
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [x, y, z]}}
===
$ rm -r store/*; rethink run many.yaml --slots 1 2>driver.log & . ./begun; rethink run three.yaml --priority beside --quiet; wait; grep -o '^done .*' driver.log | sed 's/^done *[0-9a-f]* *//; s/ seed.*//'
train tag=a
train tag=x
train tag=b
train tag=y
train tag=c
train tag=z

# Its lines have the form of a driver's.
$ rm -r store/*; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink run many.yaml --set 'stages.train.tag=[a]' 2>many.log; wait; sed '1d' many.log
started   <id>  train tag=a seed 0
done      <id>  train tag=a seed 0  <t>  dev/score@last <n>
1 of 1 trials done
next: <any>

$ rethink run second.yaml --priority first
--priority: got 'first', expected after, beside or before
[exit 2]

# The command itself reports a mistake in the sweep; the driver goes on.
$ rm -r store/*; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink run second.yaml --set stages.train.stepz=1; code=$?; wait; exit $code
<any>stepz<any>
...
[exit 2]
