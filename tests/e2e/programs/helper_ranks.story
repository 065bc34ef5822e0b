# Of the processes that torchrun starts, only the first reports: numbers, texts, pictures, artifacts and checkpoints.
# not under ODD_PLACE, ONE_CORE, BARE: it is about Python
=== ranks.py
import os, pathlib, subprocess, sys
import rethink

rank = os.environ.get("RANK")
if rank is None:
    for number in "10":
        subprocess.run([sys.executable, __file__], env={**os.environ, "RANK": number}, check=True)
else:
    pathlib.Path("file").write_text(rank)
    rethink.log(1, **{"dev/acc": int(rank)})
    rethink.text("rank", 1, rank)
    rethink.image("rank", 1, "file")
    rethink.artifact("rank", "file")
    rethink.checkpoint(1, lambda folder: (folder / "rank").write_text(rank))
=== own.yaml
sweep: own
stages:
  train: {job: command, run: [python3, ranks.py], code: [ranks.py, rethink.py], metrics: {dev/acc: max}}
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; rethink run own.yaml --quiet; rethink query "select (select group_concat(value) from metric where name = 'acc') as metrics, (select group_concat(body ->> 'value') from event where event = 'text') as texts, (select count(*) from event where event = 'image') as images, (select count(*) from event where event = 'checkpoint') as checkpoints" --format csv; cat store/trials/*/artifacts/file; echo
metrics,texts,images,checkpoints
0.0,0,1,1
0
