# Queued sweeps are not lost: they stay after Ctrl-C, `cancel` removes them, and if the driver dies, each waiting
# command runs its own. A driver of another build or another user refuses the sweep.
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
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
===
=== begun
for look in $(seq 600); do ls store/trials/*/attempt-1 >/dev/null 2>&1 && break; sleep 0.05; done
===
=== queued
for look in $(seq 600); do grep -q '^queued' queued.log 2>/dev/null && break; sleep 0.05; done
===
$ rethink run first.yaml --slots 1 --quiet & . ./begun; rethink run second.yaml 2>queued.log & asked=$!; . ./queued; rethink status second | grep 'waits in\|works on'; kill -INT $asked; wait $asked; echo exit $?; cat queued.log; wait
  waits in the queue of the driver
`rethink run` works on it: process <n> on <any> since <any>
exit 130
queued with the driver, process <n> on <any>: second, 2 trials
0 of 2 trials done; they stay in the queue of the driver, process <n> on <any>
to take them out: rethink cancel second.yaml --one-run; to watch them: rethink status --watch

$ rethink status second
second: 2 of 2 done
no driver is running

# With --quiet the command says that, too.
=== handed_over
for look in $(seq 600); do rethink status second 2>/dev/null | grep -q 'waits in' && break; sleep 0.05; done
===
$ rm -r store/* queued.log; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink run second.yaml --quiet 2>queued.log & asked=$!; . ./handed_over; kill -INT $asked; wait $asked; cat queued.log; wait
0 of 2 trials done; they stay in the queue of the driver, process <n> on <any>
to take them out: rethink cancel second.yaml --one-run; to watch them: rethink status --watch

# A driver that is stopped names the sweeps of its queue, and `status` the command that resumes them.
$ rm -r store/* queued.log; rethink run first.yaml --slots 1 2>driver.log & driver=$!; . ./begun; rethink run second.yaml 2>queued.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; kill -INT $driver; wait $driver; grep -o 'not run .*' driver.log; rethink status second
not run to the end: second, 2 trials; a command that waits for its sweep continues by itself; `rethink status` has the commands that resume the others
second: 0 of 2 done, 2 ready
  resume with: rethink run second.yaml
no driver is running

# The command in that message removes it; the driver ends without it.
$ rm -r store/* queued.log; rethink run first.yaml --slots 1 --quiet & driver=$!; . ./begun; rethink run second.yaml 2>queued.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; sed -n 's/^to take them out.*: \(rethink cancel [^;]*\);.*/\1/p' queued.log | sh; wait $driver; echo driver $?; rethink status
cancelled 2 trials
driver 0
first: 1 of 1 done
second: 0 of 2 done, 2 cancelled
...

# The driver keeps the other runs of the same sweep, and the trials that they have in common with it.
$ rm -r store/* queued.log; rethink run first.yaml --seeds 0,1 --slots 1 --quiet & driver=$!; . ./begun; rethink run first.yaml --seeds 1,2 2>queued.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; grep -o 'to take .*;' queued.log; $(sed -n 's/^to take them out.*: \(rethink cancel [^;]*\);.*/\1/p' queued.log); wait $driver; echo driver $?; rethink status first
to take them out: rethink cancel first.yaml --seeds 1,2 --one-run;
cancelled 1 trial; 1 stay: another sweep wants them
driver 0
first: 2 of 3 done, 1 cancelled
...

# The same works with the name of a sweep that two files have, and with the profile.
=== other/second.yaml
sweep: second
seeds: [0]
stages:
  train: {job: noop, steps: 15, sleep_ms: 200, tag: other}
profiles: {short: {stages.train: {steps: 14}}}
===
$ rm -r store/* queued.log; rethink run other/second.yaml --profile short --slots 1 --quiet & driver=$!; . ./begun; rethink run second.yaml 2>queued.log & . ./queued; mv queued.log earlier.log; rethink run other/second.yaml 2>queued.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; $(sed -n 's/^to take them out.*: \(rethink cancel [^;]*\);.*/\1/p' queued.log); wait $driver; echo driver $?; wait; rethink query 'SELECT state, count(*) AS trials FROM trial GROUP BY state ORDER BY state' --format csv
cancelled 1 trial
driver 0
state,trials
cancelled,1
done,3

# If the driver has the same run, cancelling would remove it from both, and the message says so.
$ rm -r store/* queued.log; rethink run first.yaml --slots 1 --quiet & driver=$!; . ./begun; rethink run first.yaml 2>queued.log & asked=$!; . ./queued; kill -INT $asked; wait $asked; grep -o 'to take .*;' queued.log; wait $driver; echo driver $?
to take them out, also for the other command that asked for them: rethink cancel first.yaml --one-run;
driver 0

$ rethink cancel first.yaml --seeds 7
the store has no run of a sweep '<any>first.yaml' --seeds 7; its runs: first
[exit 2]

$ rm -r store/* queued.log; rethink run first.yaml --slots 1 --quiet & . ./begun; rethink run second.yaml 2>queued.log & asked=$!; . ./queued; rethink cancel second.yaml; wait $asked; echo exit $?; wait; rethink status second
cancelled 2 trials
exit 1
second: 0 of 2 done, 2 cancelled
...

# The driver is killed: the waiting command says so, and runs its own sweep.
$ rm -r store/* queued.log; rethink run first.yaml --slots 1 --quiet & driver=$!; . ./begun; rethink run second.yaml 2>queued.log & asked=$!; . ./queued; kill -KILL $driver; wait $asked; echo exit $?; grep -v '^\(started\|done\|running\)' queued.log; rethink status second
exit 0
queued with the driver, process <n> on <any>: second, 2 trials
the driver, process <n> on <any>, ended with 0 of 2 trials done; this command continues by itself
2 of 2 trials done
next: rethink table <any> or rethink figure <any>
second: 2 of 2 done
no driver is running

# The next driver takes over the killed driver's trials.
$ rethink run first.yaml --quiet

# The driver is another build, and says so; nothing is queued.
$ rm -rf store/* queued.log; rethink run first.yaml --slots 1 --quiet & . ./begun; sed 's/"build":"/"build":"0/' store/lock >lock; cat lock >store/lock; rethink run second.yaml; code=$?; wait; exit $code
<any>store: the store is in use by `rethink run`, process <n> on <any> since <any>, a driver of another build of rethink, which could run other code than this one planned; wait for it or stop it (Ctrl-C there), then give the same command again
[exit 3]

$ ls store/requests 2>/dev/null | wc -l
0

# A driver of another user refuses, too. Only root can make the store's lock another user's.
=== of_another_user
case $(id -u) in
0) chown 65534 store/lock; rethink run second.yaml; code=$?; chown 0 store/lock; ls store/requests 2>/dev/null | wc -l ;;
*) echo 'store: the store is in use by `rethink run`, process 1 on here since then, a driver of nobody, and a driver runs only sweeps of its own user; wait for it or stop it (Ctrl-C there), then give the same command again'; code=3; echo 0 ;;
esac
===
$ rm -rf store/*; rethink run first.yaml --slots 1 --quiet & driver=$!; . ./begun; . ./of_another_user; wait $driver; echo driver $?; exit $code
<any>store: the store is in use by `rethink run`, process <n> on <any> since <any>, a driver of <any>, and a driver runs only sweeps of its own user; wait for it or stop it (Ctrl-C there), then give the same command again
0
driver 0
[exit 3]

# A driver whose options count the trials of its own sweeps also refuses.
$ rm -rf store/*; rethink run first.yaml --slots 1 --quiet --fail-fast & . ./begun; rethink run second.yaml; code=$?; wait; exit $code
<any>the driver was started with --fail-fast or --max-trials, which would count the trials of all sweeps: wait for the driver, then give the same command again
[exit 2]

# `status` tells the sweep that the driver runs from one that nobody continues.
$ rm -rf store/* queued.log; rethink run first.yaml --quiet & driver=$!; . ./begun; kill -INT $driver; wait $driver; sed 's/first/third/' first.yaml >third.yaml; rethink run third.yaml --quiet & until rethink status third 2>/dev/null | grep -q '1 running'; do sleep 0.05; done; rethink status | grep -v '^  running'; wait
interrupted; resume with: rethink run first.yaml
first: 0 of 1 done, 1 ready
  resume with: rethink run first.yaml
third: 0 of 1 done, 1 running
`rethink run` works on third: process <n> on <any> since <any>
