# A program with links within its folder finds its own files in the copy of its code, also after `db merge`.
=== src/model.py
WIDTH = 3
=== src/train.py
import json, os
import model  # beside the file that the link names

with open(os.environ["RETHINK_EVENTS"], "a") as events:
    print(json.dumps({"metric": "dev/acc", "step": 1, "value": model.WIDTH}), file=events)
===
=== own.yaml
sweep: own
seeds: [0]
stages:
  train:
    job: command
    run: [python3, bin/train.py]
    code: ["**/*.py"]
    metrics: {dev/acc: max}
===
$ mkdir bin; ln -s ../src/train.py bin/train.py; ln -s src also; rethink run own.yaml --quiet; rethink query "select value from metric where name = 'acc'" --format csv; readlink store/code/*/bin/train.py
value
3.0
../src/train.py

$ rethink db merge store --store other >/dev/null; readlink other/code/*/bin/train.py; rethink rm $(ls other/trials) --store other; rethink run own.yaml --store other --quiet; rethink query "select value from metric where name = 'acc'" --store other --format csv
../src/train.py
removed 1 trial, <any>
value
3.0

# Code with a link that leads out of it is not copied.
$ code=store/code/$(ls store/code); chmod -R u+w $code; rm $code/bin/train.py; ln -s ../../../../src/train.py $code/bin; rethink db merge store --store third; echo "exit $?"; ls third/code
not merged: store/code/<any>/bin/train.py: is a link that leads out of this copy of a program's code, which was left there
1 trial added, <any>
exit 1

# A checkpoint with a link to its newest part is kept, and the program goes on from it.
=== keep.sh
say() { echo "{\"metric\": \"dev/acc\", \"step\": $1, \"value\": $2}" >> "$RETHINK_EVENTS"; }
[ -z "$RETHINK_CHECKPOINT" ] || { say 2 "$(cat "$RETHINK_CHECKPOINT/latest/state")"; exit 0; }
mkdir -p out/part-1 && echo 7 >out/part-1/state && ln -s part-1 out/latest
say 1 1; echo '{"checkpoint": 1, "path": "out"}' >> "$RETHINK_EVENTS"; exit 75
===
=== keep.yaml
sweep: keep
seeds: [0]
stages:
  train: {job: command, run: [sh, keep.sh], code: [keep.sh], stop_at: 1, metrics: {dev/acc: max}}
===
$ rethink run keep.yaml --store keep --quiet; rethink run keep.yaml --store keep --quiet --set stages.train.stop_at=null; rethink query "select step, value from metric where name = 'acc'" --store keep --format csv; rethink db check --store keep --hashes | tail -1
1 trial stopped at `stop_at`: raise or remove this option, and the same command continues
step,value
1,1.0
2,7.0
<any>sound<any>
