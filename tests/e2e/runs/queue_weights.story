# A queued sweep needs weights that a running trial does not keep: the sweep waits, and the trial runs again.
=== first.yaml
sweep: first
seeds: [0]
stages:
  train: {job: noop, steps: 10, sleep_ms: 200, tag: first}
===
=== child.yaml
sweep: child
seeds: [0]
stages:
  train: {use: first.yaml#train}
  tune:
    job: noop
    steps: 2
    needs: {init: train}
===
$ rethink run first.yaml --slots 1 2>driver.log & for look in $(seq 600); do ls store/trials/*/attempt-1 >/dev/null 2>&1 && break; sleep 0.05; done; rethink run child.yaml --quiet; code=$?; wait; grep -o 'child, 2 trials: waits.*' driver.log; exit $code
child, 2 trials: waits for train seed 0, whose weights it needs: these were not to be kept, so the trial runs again

$ rethink status
child: 2 of 2 done
first: 1 of 1 done
no driver is running
