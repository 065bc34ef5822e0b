# The helper module runs in each Python from 3.9 to 3.13 on this machine: a program is stopped at a checkpoint, goes on,
# and reports the same numbers in all of them.
# not under ODD_PLACE, ONE_CORE, BARE: each Python is started twice
=== train.py
import json, pathlib, rethink

config, folder = rethink.config(), rethink.resume()
state = json.loads((folder / "state.json").read_text()) if folder else {"step": 0, "w": 0.0}
while state["step"] < config["steps"]:
    state["step"] += 1
    state["w"] += 0.1 * (1 - state["w"])
    rethink.log(state["step"], **{"dev/acc": state["w"]})
    rethink.tick(state["step"], config["steps"])
    if state["step"] == 10:
        rethink.checkpoint(10, lambda folder: (folder / "state.json").write_text(json.dumps(state)))
        if not pathlib.Path(config["mark"]).exists():
            pathlib.Path(config["mark"]).touch()
            raise SystemExit("stopped at 10")
pathlib.Path("notes.txt").write_text("done")
rethink.artifact("notes", "notes.txt")
rethink.text("end", state["step"], "as planned")
rethink.done()
=== own.in
sweep: own
seeds: [0]
stages:
  train:
    job: command
    run: [PYTHON, train.py]
    code: [train.py, rethink.py]
    config: {steps: 20, mark: MARK}
    metrics: {dev/acc: max}
===
=== each.sh
for version in any 9 10 11 12 13; do
  default=python3.$version
  [ $version = any ] && default=python3
  for python in "$(command -v $default)" "$HOME"/.pyenv/versions/3.$version.*/bin/python3; do
    "$python" -c '' 2>/dev/null || continue
    sed "s|PYTHON|$python|; s|MARK|$PWD/mark$version|" own.in >own.yaml
    rm -f "mark$version"
    rethink run own.yaml --store s$version --quiet >first.log 2>&1 && echo "$python: was not stopped"
    grep -q 'stopped at 10' first.log || cat first.log
    rethink retry own.yaml --store s$version >/dev/null && rethink run own.yaml --store s$version --quiet
    rethink query "select round(score, 9) as score, attempts from runs" --store s$version --format csv | tail -1
    break
  done
done
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; sh each.sh | sort -u
0.878423345,2
