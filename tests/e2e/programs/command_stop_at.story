# A trial stops at a step that the sweep names, waits there, and goes on when the step is raised or removed. Its identity does not change.
=== train.py
import json, rethink

config, folder = rethink.config(), rethink.resume()
state = json.loads((folder / "state.json").read_text()) if folder else {"step": 0, "w": 0.0}
while state["step"] < config["steps"]:
    state["step"] += 1
    state["w"] += 0.1 * (1 - state["w"])
    rethink.log(state["step"], **{"dev/acc": state["w"]})
    if rethink.stopping(state["step"]):
        rethink.checkpoint(state["step"], lambda folder: (folder / "state.json").write_text(json.dumps(state)))
        raise SystemExit(75)
rethink.artifact("weights", "train.py")
=== own.yaml
sweep: own
seeds: [0]
stages:
  train:
    job: command
    run: [python3, train.py]
    code: [train.py, rethink.py]
    config: {steps: 9}
    stop_at: 4
    metrics: {dev/acc: max}
  test: {job: command, needs: {init: train}, run: ["true"], code: [train.py]}
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; rethink run own.yaml 2>&1 | grep -E 'stop_at|trials done'; rethink query "select count(*) as metrics, max(step) as last from metric" --format csv
interrupted <id>  train seed 0: stopped at step 4 by `stop_at`
0 of 2 trials done, 1 waiting, 1 ready
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
metrics,last
4,4

# The same command starts nothing.
$ rethink run own.yaml --quiet; ls -d store/trials/*/attempt-*
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
<any>/attempt-1

# A pilot stops there too, and no further pilot is submitted.
$ rethink run own.yaml --site local --wait --store site --quiet; rethink run own.yaml --site local --store site; ls -d site/trials/*/attempt-*
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
0 of 2 trials done, 1 waiting, 1 ready
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
<any>/attempt-1

$ rethink run own.yaml --quiet --set stages.train.stop_at=7; rethink query "select number, outcome, resume_step from attempt" --format csv
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
number,outcome,resume_step
1,interrupted,0
2,interrupted,4

$ sed -i /stop_at/d own.yaml; rethink run own.yaml --quiet; rethink query "select stage, state, attempts from runs join sweep_trial using (trial) order by stage" --format csv; rethink query "select step, round(value, 6) as value from metric where name = 'acc' order by step" --format csv | tail -2
stage,state,attempts
test,done,1
train,done,3
8,0.569533
9,0.61258

# Exit code 75 without the checkpoint is a failure; a program that does not use the step runs to its end.
=== others.yaml
sweep: others
stages:
  train:
    job: command
    run: [sh, -c, "{config.does}"]
    code: [train.py]
    stop_at: 4
    grid: {config.does: ["exit 75", "true"]}
===
$ rethink run others.yaml --store others --quiet 2>/dev/null; rethink query "select state, message from trial order by state" --store others --format csv
state,message
done,
failed,"exit code 75 without a checkpoint of step 4 or later, at which `stop_at` stops it"

# A queued command raises or removes the option for the running driver, too, and ends when its trials have stopped.
=== two.yaml
sweep: two
seeds: [0]
stages:
  train:
    job: command
    run: [python3, train.py]
    code: [train.py, rethink.py]
    config: {steps: 9}
    stop_at: 4
    metrics: {dev/acc: max}
  slow: {job: noop, steps: 3000, sleep_ms: 100}
===
=== stopped
for look in $(seq 600); do rethink query "select outcome from attempt" --store two --format csv 2>/dev/null | grep -q interrupted && break; sleep 0.05; done
===
$ rethink run two.yaml --slots 2 --store two --quiet 2>driver.log & driver=$!; . ./stopped; for stop in 7 null; do rethink run two.yaml --store two --only train --quiet --set stages.train.stop_at=$stop; echo "exit $?"; done; kill -INT $driver; wait $driver; echo "driver $?"; rethink query "select number, outcome, resume_step from attempt where trial in (select trial from sweep_trial where stage = 'train') order by number" --store two --format csv
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
exit 0
exit 0
driver 130
number,outcome,resume_step
1,interrupted,0
2,interrupted,4
3,done,7
