# Running trials can be watched, cancelled, interrupted and retried.
# not under ODD_PLACE, ONE_CORE, BARE: its pauses take long
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  train: {job: noop, steps: 12, sleep_ms: 100, checkpoint_every: 1}
===
=== wait.sh
# Until the first trial of a store has taken a step, half a minute at most.
for look in $(seq 1500); do
  ls "$1"/trials/*/checkpoints/checkpoint-* >/dev/null 2>&1 && exit
  sleep 0.02
done
exit 1
===
$ rethink run slow.yaml --quiet & sh wait.sh store; rethink status --watch >watched & rethink logs --follow $(ls store/trials) >followed; wait

$ cat followed
== attempt 1
== start at step 0 <any>
step 1  train/loss <n>
...
step 12  train/loss <n>
step 12  dev/score <n>
== done <any>

# The running trial is shown first, and all results at the end.
$ head -2 watched; tail -2 watched
slow: 0 of 1 done, 1 running
  running   <id>  train seed 0<any>
slow: 1 of 1 done
no driver is running

# The same works for a trial that waits for its turn.
$ rethink run slow.yaml --quiet --store two --slots 1 --seeds 0,1 --set stages.train.steps=5 & sh wait.sh two; rethink logs --follow $(cd two/trials && ls -d */attempt-1 */ | sed 's,/.*,,' | sort | uniq -u) --store two >followed; wait

$ sed 's/ [^ ]*$//' followed
== attempt
== start at step 0
step 1  train/loss
...
step 5  dev/score
== done

# `status` shows whether the store's driver works on this sweep or on another one.
=== other.yaml
sweep: other
seeds: [0]
stages:
  train: {job: noop}
===
$ rethink run other.yaml --quiet --store shared

$ rethink run slow.yaml --quiet --store shared & sh wait.sh shared; rethink status other --store shared >of_other; rethink status slow --store shared >of_slow; wait

$ tail -n 1 of_other; tail -n 1 of_slow
no driver runs it; `rethink run` works on slow: process <n> on <any> since <any>
`rethink run` works on it: process <n> on <any> since <any>

# A watch that begins before the driver waits for the driver.
$ rethink status --watch --store later >watched & until grep -q waiting watched; do sleep 0.02; done; rethink run slow.yaml --quiet --store later; wait

$ head -2 watched; tail -2 watched
no sweep was run in later yet; begin with: rethink run SWEEP --store later
waiting for a driver; Ctrl-C stops waiting
slow: 1 of 1 done
no driver is running

# A hangup is an interruption like Ctrl-C.
$ rethink run slow.yaml --quiet --store hung & driver=$!; sh wait.sh hung; kill -HUP $driver; wait $driver
interrupted; resume with: rethink run slow.yaml --store hung
[exit 130]

$ rethink run slow.yaml --store hung --quiet; for s in store hung; do rethink query 'SELECT * FROM metric' --store $s >$s.rows; done; cmp store.rows hung.rows

# After Ctrl-C `reproduce` names at once the trials that it waits for, and at the end the command to resume.
=== plots/tables/slow/score.yaml
table: slow/score
sweep: slow.yaml
stage: train
metric: dev/score
rows: [{label: ours}]
columns: [{label: score, direction: max}]
seeds: 1
===
$ rethink reproduce slow --store paper 2>log & driver=$!; sh wait.sh paper; kill -INT $driver; wait $driver; echo exit $?; grep 'stop: \|^interrupted: ' log
exit 130
asked     stop: waits for checkpoints of 1 running trial; Ctrl-C again kills it, and what it did since the last checkpoint runs again
interrupted: 0 of 1 trials done; resume with: rethink reproduce slow --store paper

# Resumed, it counts the trials that were done before too, and `status` names the same command.
$ sed 's/slow/two/; s/\[0\]/[0, 1]/' slow.yaml >two.yaml; mkdir plots/tables/two; sed 's/slow/two/; s/seeds: 1/seeds: 2/' plots/tables/slow/score.yaml >plots/tables/two/score.yaml
$ rethink reproduce two --store resumed --max-trials 1 --slots 1 --quiet >first 2>&1; rethink reproduce two --store resumed 2>second & driver=$!; until grep -q '^started' second; do sleep 0.02; done; kill -INT $driver; wait $driver; grep '^interrupted: ' second; rethink status --store resumed | grep 'resume with'
interrupted: 1 of 2 trials done; resume with: rethink reproduce two --store resumed
  resume with: rethink reproduce two --store resumed

# So does `table --run`: `run` would take every trial of the sweep.
$ rethink table plots/tables/two/score.yaml --run --store shown --max-trials 1 --slots 1 --quiet >first 2>&1; rethink status --store shown
two: 1 of 2 done, 1 ready
  resume with: rethink table <any>/plots/tables/two/score.yaml --run --store shown
no driver is running

# `cancel` reports its effect, and the driver's log names its user.
$ rethink run slow.yaml --store left 2>log & driver=$!; sh wait.sh left; rethink cancel slow --store left; wait $driver
cancelled 1 trial
[exit 1]

$ cat log
started   <id>  train seed 0
asked     cancel by <any>, process <n> on <any>: cancelled 1 trial: <id> train seed 0
cancelled <id>  train seed 0  <t>: stopped
0 of 1 trials done, 1 cancelled
to repeat failed and cancelled trials: rethink retry slow.yaml --store left && rethink run slow.yaml --store left

$ rethink retry slow --only failed --store left
0 trials may run again

$ rethink retry slow --only cancelled --store left
1 trial may run again

$ rethink run slow.yaml --quiet --store left; rethink query 'SELECT * FROM metric' --store left >left.rows; cmp store.rows left.rows
