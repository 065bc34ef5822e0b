# A worker is killed, hangs, works too long, fails or runs out of memory: each is reported, and the other trials go on.
=== killed.yaml
sweep: killed
seeds: [0]
stages:
  train: {job: noop, steps: 20, sleep_ms: 100, checkpoint_every: 1}
===
$ rethink run killed.yaml & for look in $(seq 600); do ls store/trials/*/checkpoints/* >/dev/null 2>&1 && break; sleep 0.05; done; kill -9 $(sed 's/.*"pid":\([0-9]*\).*/\1/' store/trials/*/lock); wait $!
started   <id>  train seed 0
killed    <id>  train seed 0: ended by signal 9 (Killed); it is tried again
started   <id>  train seed 0
goes on   <id>  train seed 0 from step <n> of 20
done      <id>  train seed 0  <t>  dev/score@last <n>
1 of 1 trials done
next: rethink table <any> or rethink figure <any>

=== troubles.yaml
sweep: troubles
seeds: [0]
stages:
  hang: {job: noop, steps: 2, sleep_ms: 60000, limits: {stall: 1s}}
  long: {job: noop, steps: 100, sleep_ms: 100, limits: {time: 1s}}
  memory: {job: noop, allocate_mb: 1000000000000, retry: {oom: 1}}
  fail: {job: noop, steps: 4, fail_at: 2}
  after: {job: noop, needs: {init: fail}}
  good: {job: noop, steps: 3}
===
$ rethink run troubles.yaml --slots 6 --quiet
failed: <id>  hang seed 0: no sign of life for 1 s, its limits.stall; the log may say where it hung
  log: <any>/attempt-1/log
failed: <id>  long seed 0: worked longer than 1 s, its limits.time
  log: <any>/attempt-1/log
failed: <id>  memory seed 0: cannot allocate 1000000000000 MiB
  log: <any>/attempt-2/log
failed: <id>  fail seed 0: fail_at: step 2 fails
  log: <any>/attempt-1/log
to repeat failed and cancelled trials: rethink retry troubles.yaml && rethink run troubles.yaml
[exit 1]

$ rethink status troubles
troubles: 1 of 6 done, 4 failed, 1 blocked
...

$ rethink query 'SELECT outcome, count(*) AS attempts FROM attempt GROUP BY outcome ORDER BY outcome' --format csv
outcome,attempts
done,2
failed,1
killed,1
oom,2
timeout,2

$ rethink run troubles.yaml --quiet
...
[exit 1]

$ rethink retry troubles --only oom
1 trial may run again

$ rethink retry troubles --only timeout
2 trials may run again

$ rethink retry troubles
1 trial may run again
