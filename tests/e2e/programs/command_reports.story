# Reports of a program beside numbers: pictures, texts, its environment, and code that is not in its snapshot.
=== train.py
import sys
import rethink

sys.path.insert(0, rethink.config()["lib"])
import shared

for step in range(1, 4):
    rethink.log(step, **{"dev/acc": shared.accuracy(step), "dev/loss": 1.0})
    rethink.text("sample", step, f"text of step {step}")
    open("map.png", "wb").write(b"picture %d" % step)
    rethink.image("map", step, "map.png")
rethink.image("lost", 3, "nowhere.png")
=== shared.py
def accuracy(step):
    return step / 4
=== own.yaml
sweep: own
stages:
  train:
    job: command
    run: [python3, train.py]
    code: [train.py, rethink.py]
    env: {PYTHONDONTWRITEBYTECODE: "1"}
    config: {lib: .}
    metrics: {dev/loss: min, dev/acc: max}
=== table.yaml
table: own
title: Outside
sweep: own.yaml
stage: train
metric: dev/acc@last
rows: [{label: all, where: {}}]
columns: [{label: accuracy}]
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; rethink run own.yaml --quiet --set stages.train.config.lib="$PWD"; rethink show $(ls store/trials) | grep -A5 '^Newest texts'
Newest texts
name    step  text
──────  ────  ──────────────
sample     1  text of step 1
sample     2  text of step 2
sample     3  text of step 3

$ rethink show $(ls store/trials) | grep -A5 '^Newest images'
Newest images
name  step  file
────  ────  <any>
map      1  attempt-1/images/map-1.png
map      2  attempt-1/images/map-2.png
map      3  attempt-1/images/map-3.png

$ cat store/trials/*/attempt-1/images/map-2.png; rethink query "select group_concat(name) from (select distinct name from environment where name like 'program.%' order by name)" --format csv; rethink query "select text from event where level = 'warning' order by line" --format csv
picture 2group_concat(name)
"program.executable,program.packages,program.python"
text
the image 'lost' of step 3 is not kept: <any>/nowhere.png is no file
"it loaded shared.py from the checkout and not from the copy of its code: a change there makes no other trial; name these files in `code`, or install their package without -e"

$ rethink table table.yaml --set stages.train.config.lib="$PWD"
...
[a] code outside the snapshot: 1 of 1 trials loaded shared.py, whose changes make no other trial
...

# The first metric in the sweep is the score.
$ rethink query "select name, value from metric where name = 'score'" --format csv
name,value
score,1.0

# A data set that the program fetches itself has its name and its commit.
=== glue.yaml
sweep: glue
stages:
  train:
    job: command
    run: [sh, -c, 'echo "$0 $1 $RETHINK_DATA_GLUE $RETHINK_DATA_GLUE_REVISION" >"$RETHINK_ARTIFACTS/seen"', "{data.glue}", "{data.glue.revision}"]
    code: [train.py]
    data: {glue: {name: hf/glue, revision: bcdcba79d07bc864c1c254ccfcedcce55bcc9a8c}}
===
$ rethink run glue.yaml --store glue --quiet; cat glue/trials/*/artifacts/seen
hf/glue bcdcba79d07bc864c1c254ccfcedcce55bcc9a8c hf/glue bcdcba79d07bc864c1c254ccfcedcce55bcc9a8c

$ sed 's/revision: b.*}}/revision: main}}/' glue.yaml >branch.yaml; rethink plan branch.yaml
branch.yaml:7:<n>: error: 'data.glue.revision': got 'main', expected a commit of 40 hex digits: a branch or a tag may move
<any>
<any>
[exit 2]

# A checkpoint without room on the disk is left out, and the one before it stays.
=== room.sh
if [ -n "$RETHINK_CHECKPOINT" ]; then
  echo "{\"metric\": \"dev/acc\", \"step\": 3, \"value\": $(cat "$RETHINK_CHECKPOINT/state")}" >> "$RETHINK_EVENTS"
  exit
fi
mkdir small large && echo 1 >small/state
# A hole of more bytes than are free takes no room itself.
truncate -s "$(($(df --output=avail -k . | tail -1) + 1000000))K" large/state
echo '{"checkpoint": 1, "path": "small"}' >> "$RETHINK_EVENTS"
echo '{"checkpoint": 2, "path": "large"}' >> "$RETHINK_EVENTS"
sleep 1000
=== room.yaml
sweep: room
stages:
  train: {job: command, run: [sh, room.sh], code: [room.sh], metrics: {dev/acc: max}}
===
$ rethink run room.yaml --store room --quiet >/dev/null 2>&1 & driver=$!; for i in $(seq 1200); do grep -q 'step 2 is not kept' room/trials/*/attempt-1/events.jsonl 2>/dev/null && break; sleep 0.05; done; kill -INT $driver; wait $driver; ls room/trials/*/checkpoints; grep -ho 'the checkpoint of step 2[^"]*' room/trials/*/attempt-1/events.jsonl; rethink run room.yaml --store room --quiet; rethink query "select step, value from metric where name = 'acc'" --store room --format csv
checkpoint-1
files-1-attempt-1-1
the checkpoint of step 2 is not kept: <any>/large has <n> MB, and <n> MB are free on the disk of <any>/checkpoints
step,value
3,1.0
