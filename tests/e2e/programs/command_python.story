# A program in Python is killed, and its numbers equal those of an undisturbed run.
# not under ODD_PLACE, ONE_CORE, BARE: it takes long
=== train.py
import json, rethink

config, folder = rethink.config(), rethink.resume()
state = json.loads((folder / "state.json").read_text()) if folder else {"step": 0, "w": 0.0}
while state["step"] < config["steps"]:
    state["step"] += 1
    state["w"] += config["lr"] * (1 - state["w"])
    rethink.log(state["step"], **{"dev/acc": state["w"]})
    if rethink.stopping() or state["step"] % 100 == 0:
        rethink.checkpoint(state["step"], lambda folder: (folder / "state.json").write_text(json.dumps(state)))
    if rethink.stopping():
        raise SystemExit(75)
=== own.yaml
sweep: own
seeds: [0]
stages:
  train:
    job: command
    run: [python3, train.py]
    code: [train.py, rethink.py]
    config: {steps: 300}
    grid: {config.lr: [0.1, 0.3]}
    metrics: {dev/acc: max}
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; rethink run own.yaml --quiet && rethink query 'select "config.lr" as lr, score from runs order by lr' --format csv
lr,score
0.1,0.99999<n>
0.3,0.99999<n>

$ rethink selftest --sweep own.yaml --chaos 4
killing drivers, zygotes and workers of own.yaml 4 times in <any>
4 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <any><n> at one of <n> kill points; <n> run<any>)
