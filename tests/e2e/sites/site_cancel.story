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
