# What runs can be watched, cancelled, interrupted and given another chance.
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
== done <any>

# First the running trial, in the end all that became of it.
$ head -2 watched; tail -2 watched
slow: 0 of 1 done, 1 running
  running   <id>  train seed 0<any>
slow: 1 of 1 done
nobody works on it

# A hangup is an interruption like Ctrl-C.
$ rethink run slow.yaml --quiet --store hung & driver=$!; sh wait.sh hung; kill -HUP $driver; wait $driver
interrupted; resume with: rethink run slow.yaml --store hung
[exit 130]

$ rethink run slow.yaml --store hung --quiet; for s in store hung; do rethink query 'SELECT * FROM metric' --store $s >$s.rows; done; cmp store.rows hung.rows

# Either may speak first, so the canceller's words are kept till last.
$ rethink run slow.yaml --quiet --store left & driver=$!; sh wait.sh left; rethink cancel slow --store left >told; wait $driver
to run what failed or was cancelled again: <any>
[exit 1]

$ cat told
cancelled 1 trial

$ rethink retry slow --only failed --store left
0 trials may run again

$ rethink retry slow --only cancelled --store left
1 trial may run again

$ rethink run slow.yaml --quiet --store left; rethink query 'SELECT * FROM metric' --store left >left.rows; cmp store.rows left.rows
