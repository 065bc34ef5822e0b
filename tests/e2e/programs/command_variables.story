# Every variable and every placeholder of a program has the value in its trial's `show --format json`.
# not under ODD_PLACE, ONE_CORE, BARE: it is about values
=== print.py
# Prints the variables, the words, and what is behind the paths while the program runs.
import json, os, sys

out, files = dict(os.environ), {}
for name in ("RETHINK_CONFIG", "RETHINK_DATA_CORPUS", "RETHINK_INPUT_INIT"):
    files[name] = open(out[name]).read()
for name in ("RETHINK_SCRATCH", "RETHINK_ARTIFACTS", "RETHINK_CODE", "RETHINK_DATA_FOLDER"):
    files[name] = sorted(os.listdir(out[name]))
with open(out["RETHINK_EVENTS"], "a") as events:
    events.write('{"metric": "dev/acc", "step": 1, "value": 1}\n')
with open(os.path.join(out["RETHINK_ARTIFACTS"], "seen.json"), "w") as seen:
    json.dump({"variables": out, "words": sys.argv[1:], "files": files, "folder": os.getcwd()}, seen)
=== own.yaml
sweep: own
seeds: [5]
stages:
  first:
    job: command
    run: [sh, -c, "echo weights of {seed} >w; echo '{{\"artifact\": \"weights\", \"path\": \"w\"}}' >> $RETHINK_EVENTS"]
    code: [print.py]
  second:
    job: command
    needs: {init: first}
    run: [python3, print.py, "{config}", "{config.lr}", "{seed}", "{gpus}", "{port}", "{checkpoint}", "{artifacts}", "{code}", "{data.corpus}", "{data.glue.revision}", "{input.init}", "a{{b}}"]
    code: [print.py]
    data: {corpus: {file: corpus.txt}, folder: {dir: texts}, glue: {name: hf/glue, revision: bcdcba79d07bc864c1c254ccfcedcce55bcc9a8c}}
    env: {GREETING: "seed {seed}"}
    pass: [TOKEN]
    config: {lr: 1e-3, width: 256}
    stop_at: 100
    resources: {device: cpu, checkpoint_every: 5min}
    metrics: {dev/acc: max}
=== compare.py
import json, os, sys

shown = json.load(sys.stdin)
seen = json.load(open(f"store/trials/{shown['trial']}/artifacts/seen.json"))
variables, words, files, asked = seen["variables"], seen["words"], seen["files"], shown["configuration"]
facts = {fact["name"]: fact["value"] for fact in shown["environment_of_the_last_attempt"]}
attempt = os.path.realpath(f"store/trials/{shown['trial']}/attempt-{shown['attempts'][-1]['number']}")
init = os.path.realpath(f"store/trials/{shown['needs'][0]['trial']}/artifacts/w")
expected = {
    "RETHINK_CONFIG": attempt + "/config.json",
    "RETHINK_SEED": str(shown["seed"]),
    "RETHINK_EVENTS": attempt + "/said.jsonl",
    "RETHINK_STOP_FILE": attempt + "/stop",
    "RETHINK_CHECKPOINT_EVERY": "300",
    "RETHINK_STOP_AT": str(asked["stop_at"]),
    "RETHINK_SCRATCH": attempt + "/scratch",
    "RETHINK_ARTIFACTS": os.path.dirname(attempt) + "/artifacts",
    "RETHINK_ATTEMPT": str(shown["attempts"][-1]["number"]),
    "RETHINK_CODE": attempt + "/work",
    "RETHINK_CHECKOUT": os.path.join(os.getcwd(), ""),
    "RETHINK_TRIAL_FOLDER": variables["RETHINK_TRIAL_FOLDER"],
    "RETHINK_DATA_CORPUS": asked["data"]["corpus"]["file"],
    "RETHINK_DATA_FOLDER": asked["data"]["folder"]["dir"],
    "RETHINK_DATA_GLUE": asked["data"]["glue"]["name"],
    "RETHINK_DATA_GLUE_REVISION": asked["data"]["glue"]["revision"],
    "RETHINK_INPUT_INIT": init,
    "CUDA_VISIBLE_DEVICES": "",
    "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
    "OMP_NUM_THREADS": facts["threads"],
    "PYTHONHASHSEED": str(shown["seed"]),
    "PYTHONUNBUFFERED": "1",
    "GREETING": "seed 5",
    "TOKEN": "secret-token",
}
for name, value in expected.items():
    if variables.get(name) != value:
        print(f"{name}: got {variables.get(name)!r}, expected {value!r}")
for name in variables:
    if name.startswith("RETHINK_") and name not in expected:
        print(name, "is not described")
print("not set:", *(name for name in ["RETHINK_CHECKPOINT", "HIDDEN"] if name not in variables))
port = words.pop(4)
print("a port" if 1024 <= int(port) < 65536 else port)
wanted = [expected["RETHINK_CONFIG"], "0.001", "5", "0", "", expected["RETHINK_ARTIFACTS"], expected["RETHINK_CODE"]]
wanted += [asked["data"]["corpus"]["file"], asked["data"]["glue"]["revision"], init, "a{b}"]
for word, value in zip(words, wanted):
    if word != value:
        print(f"a word: got {word!r}, expected {value!r}")
print("settings" if json.loads(files["RETHINK_CONFIG"]) == asked["config"] else files["RETHINK_CONFIG"])
print(files["RETHINK_DATA_CORPUS"], files["RETHINK_INPUT_INIT"], sep="", end="")
print(files["RETHINK_SCRATCH"], files["RETHINK_CODE"], files["RETHINK_DATA_FOLDER"], seen["folder"] == expected["RETHINK_CODE"])
===
$ mkdir texts && echo one >texts/one.txt && echo words >corpus.txt; HIDDEN=1 TOKEN=secret-token rethink run own.yaml --quiet; rethink show $(rethink query "select trial from sweep_trial where stage = 'second'" --format csv | tail -1) --format json | python3 compare.py
not set: RETHINK_CHECKPOINT HIDDEN
a port
settings
words
weights of 5
[] ['print.py'] ['one.txt'] True
