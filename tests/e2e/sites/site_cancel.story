# Trials in pilots: their status, cancel and retry.
=== long.yaml
sweep: long
seeds: [0]
stages:
  train: {job: noop, steps: 200, sleep_ms: 20, checkpoint_every: 10, grid: {tag: [a, b, c]}}
===
=== begun
for look in $(seq 600); do ls store/trials/*/attempt-1/events.jsonl >/dev/null 2>&1 && break; sleep 0.05; done
===
=== ended
# Waits until no pilot is left.
for look in $(seq 600); do rethink status | grep -q 'pilots of site' || break; sleep 0.1; done
===
$ rethink run long.yaml --site local --slots 1 --quiet; . ./begun; rethink status | grep -v ' seed 0 '
long: 0 of 3 done, 2 ready, 1 running
  resume with: rethink run long.yaml --site local
pilots of site local: <any> runs on <any>

$ rethink status --format json | grep '"site"\|"state": "runs'
      "site": "local",
      "state": "runs on <any>"

# A run on this machine leaves the trials to the pilots.
$ rethink run long.yaml --quiet
<any>/store: pilots of site local have trials of this command: <any> runs; give `rethink run` with --site local to collect what they do, or `rethink cancel` with the sweep to end them first
[exit 3]

# Pilots begin no cancelled trial; a worker that runs one makes a checkpoint and ends.
$ rethink cancel long; sh ./ended; ls store/trials/*/stop | wc -l; ls store/trials/*/attempt-* -d | wc -l
cancelled 3 trials; stopped 1 worker of pilots
3
1

$ rethink run long.yaml --site local --quiet
to repeat failed and cancelled trials: rethink retry long.yaml && rethink run long.yaml --site local
[exit 1]

$ rethink retry long; rethink run long.yaml --site local --wait --quiet; rethink status
3 trials may run again
long: 3 of 3 done
no driver is running

# Pilots that wait in a queue are taken out of it, and the trials may run on this machine.
=== queue.yaml
busy:
  engine: commands
  pilots: 2
  submit: "cat > job; echo >> jobs; wc -l < jobs"
  states: "for job in {jobs}; do grep -qsw $job removed || echo $job pending; done"
  cancel: "echo {jobs} >> removed"
  job: $JOB
===
$ rethink run long.yaml --site busy --sites queue.yaml --store waits --quiet; rethink cancel long --store waits; cat removed
cancelled 3 trials; took 2 waiting pilots out of the queue
1 2

$ rethink retry long --store waits; rethink run long.yaml --store waits --slots 3 --quiet
3 trials may run again

# A queue that cannot be reached is no reason to go on.
$ sed 's/cancel: .*/cancel: "exit 1"/' queue.yaml > away.yaml; rethink run long.yaml --site busy --sites away.yaml --store away --quiet; rethink cancel long --store away
<any> warning waiting pilots stay in the queue, and end when they begin: site 'busy': the queue does not cancel 3, 4 (<any>)
cancelled 3 trials
