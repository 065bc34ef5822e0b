# A resume keeps what the program reported before its checkpoint and drops what it reported after, whatever the steps.
=== train.sh
metric() { echo "{\"metric\": \"dev/acc\", \"step\": $1, \"value\": $2}" >> "$RETHINK_EVENTS"; }
if [ -z "$RETHINK_CHECKPOINT" ]; then
  metric 10 0.5
  mkdir out && echo state >out/state && echo '{"checkpoint": 2, "path": "out"}' >> "$RETHINK_EVENTS"
  metric 1 0.9
  sleep 1000
fi
metric 3 0.25
=== train.yaml
sweep: train
stages:
  train: {job: command, run: [sh, train.sh], code: [train.sh], metrics: {dev/acc: max}}
===
$ rethink run train.yaml --quiet >/dev/null 2>&1 & driver=$!; for i in $(seq 1200); do grep -q '"step":1,' store/trials/*/attempt-1/events.jsonl 2>/dev/null && break; sleep 0.05; done; kill -INT $driver; wait $driver; rethink run train.yaml --quiet; rethink query "select name, step, value from metric where name like 'acc%' order by name, step" --format csv
name,step,value
acc,3,0.25
acc,10,0.5
acc@best,3,0.5
acc@last,3,0.25

# The warning says so, and the result, the events and the database agree.
$ rethink query "select text from event where text like 'dev/%'" --format csv; rethink db check --hashes
text
dev/acc of step 1 comes after the checkpoint of step 2: a resume drops it; report a step before its checkpoint
<any>
