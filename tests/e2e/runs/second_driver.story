# Only one driver works at a time: the second command passes its sweep to the first, and refuses options that it cannot pass.
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  train: {job: noop, steps: 10, sleep_ms: 200}
===
=== other.yaml
sweep: other
seeds: [0]
stages:
  train: {job: noop, steps: 1}
===
$ rethink run slow.yaml --quiet & for look in $(seq 600); do ls store/trials/*/attempt-1 >/dev/null 2>&1 && break; sleep 0.05; done; rethink run slow.yaml --max-trials 1; rethink table other.yaml --run --fail-fast; code=$?; wait; exit $code
<any>store: the store is in use by `rethink run`, process <n> on <any> since <any>, whose queue does not take --max-trials: leave out this option to put the trials into that queue; or wait for the driver, or stop it (Ctrl-C there), and give the same command again
<any>store: the store is in use by `rethink run`, process <n> on <any> since <any>, whose queue does not take --fail-fast: leave out this option to put the trials into that queue; or wait for the driver, or stop it (Ctrl-C there), and give the same command again
[exit 3]

# Two commands that start together: both see no driver, one becomes it, and the other passes its sweep to it.
$ for n in 1 2 3; do rethink run slow.yaml --set stages.train.sleep_ms=20 --store new$n --quiet & first=$!; rethink run other.yaml --store new$n --quiet || echo second $?; wait $first || echo first $?; done; rethink status --store new3 | grep -c '1 of 1 done'
2

$ rethink status
slow: 1 of 1 done
no driver is running
