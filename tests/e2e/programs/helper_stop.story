# `rethink.stopping()` is true in every program that has to stop, whatever its handler of SIGTERM is, and in processes that get no signal.
# not under ODD_PLACE, ONE_CORE, BARE: four programs wait at once
=== train.py
import asyncio, os, signal, sys, time
import rethink

how = rethink.config()["how"]
if rethink.resume():
    rethink.log(2, **{"dev/acc": float((rethink.resume() / "state").read_text())})
    sys.exit()


def wait():
    rethink.log(1, **{"dev/acc": 1})
    while not rethink.stopping():
        time.sleep(0.02)
    rethink.checkpoint(1, lambda folder: (folder / "state").write_text("2"))


async def wait_in_a_loop():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: None)
    await asyncio.get_running_loop().run_in_executor(None, wait)


if how == "handler":
    signal.signal(signal.SIGTERM, lambda number, frame: print("a handler of its own"))
    wait()
if how == "ignored":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    wait()
if how == "asyncio":
    asyncio.run(wait_in_a_loop())
if how == "child":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        wait()
        os._exit(0)
    os.waitpid(child, 0)
sys.exit(75)
=== own.yaml
sweep: own
stages:
  train:
    job: command
    run: [python3, train.py]
    code: [train.py, rethink.py]
    grid: {config.how: [handler, ignored, asyncio, child]}
    resources: {device: cpu}
    metrics: {dev/acc: max}
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; rethink run own.yaml --slots 4 >first.txt 2>&1 & driver=$!; for i in $(seq 1200); do [ "$(cat store/trials/*/attempt-1/events.jsonl 2>/dev/null | grep -c '"step":1')" -ge 4 ] && break; sleep 0.05; done; sleep 0.5; kill -INT $driver; wait $driver; echo $?; grep -c 'it was killed' first.txt; rethink run own.yaml --quiet; rethink query 'select "config.how" as how, score, attempts from runs order by how' --format csv
130
0
how,score,attempts
asyncio,2.0,2
child,2.0,2
handler,2.0,2
ignored,2.0,2

# The first 4,000 bytes of a text are kept, in whole characters.
=== texts.py
import rethink

for name, value in [("fits", "x" * 4000), ("wide", "\u00e9" * 2500), ("long", "x" * 1_000_000)]:
    rethink.text(name, 1, value)
    rethink.text(name, 2, value)
=== texts.yaml
sweep: texts
stages:
  train: {job: command, run: [python3, texts.py], code: [texts.py, rethink.py]}
=== kept.py
import glob, json

for line in open(glob.glob("texts/trials/*/attempt-1/events.jsonl")[0], encoding="utf-8"):
    event = json.loads(line.split("\t")[0])
    if event["event"] == "text" and event["step"] == 1:
        print(event["name"], len(event["value"].encode()))
    if event["event"] == "message":
        print(event["text"])
===
$ rethink run texts.yaml --store texts --quiet; python3 kept.py
fits 4000
the text 'wide' of step 1 has more than 4000 bytes: the first 4000 are kept
wide 4000
the text 'long' of step 1 has more than 4000 bytes: the first 4000 are kept
long 4000
