# A disk without room for a checkpoint loses this checkpoint, and the one before it stays. Without room for events the
# trial waits, and the same command goes on. A preloaded library makes the disk full (tests/support/fault_shim).
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
=== train.sh
step=0
[ -z "$RETHINK_CHECKPOINT" ] || { step=$(cat "$RETHINK_CHECKPOINT/step"); echo "goes on after $step"; }
while [ $step -lt 6 ]; do
  step=$((step + 1))
  echo "{\"metric\": \"dev/acc\", \"step\": $step, \"value\": $step}" >> "$RETHINK_EVENTS"
  mkdir -p "$RETHINK_SCRATCH/$step" && echo $step >"$RETHINK_SCRATCH/$step/step"
  echo "{\"checkpoint\": $step, \"path\": \"$RETHINK_SCRATCH/$step\"}" >> "$RETHINK_EVENTS"
  [ $step != 4 ] || [ -n "$RETHINK_CHECKPOINT" ] || sleep 1000
done
=== own.yaml
sweep: own
stages:
  train: {job: command, run: [sh, train.sh], code: [train.sh], limits: {grace: 1s}, metrics: {dev/acc: max}}
=== full.sh
export LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT_PROGRAM=rethink
exec "$@"
===
$ RETHINK_FAULT='write:ENOSPC:files-3-:*,write:ENOSPC:files-4-:*' sh full.sh rethink run own.yaml --quiet >/dev/null 2>&1 & driver=$!; for i in $(seq 1200); do grep -q 'step 4 is not kept' store/trials/*/attempt-1/events.jsonl 2>/dev/null && break; sleep 0.05; done; kill -INT $driver; wait $driver; ls store/trials/*/checkpoints; rethink run own.yaml --quiet; cat store/trials/*/attempt-2/log; rethink query "select group_concat(value) from metric where name = 'acc' order by step" --format csv; grep -ho 'the checkpoint of step [^:]*' store/trials/*/attempt-1/events.jsonl
checkpoint-1
checkpoint-2
files-1-attempt-1-1
files-2-attempt-1-2
goes on after 2
group_concat(value)
"1.0,2.0,3.0,4.0,5.0,6.0"
the checkpoint of step 3 is not kept
the checkpoint of step 4 is not kept

$ RETHINK_FAULT='write:ENOSPC:events.jsonl:*' sh full.sh rethink run own.yaml --store events --quiet
...
[exit 3]

$ sed -i 's/|| sleep 1000/|| true/' train.sh; rethink run own.yaml --store events --quiet; rethink query "select count(*) from metric where name = 'acc'" --store events --format csv
count(*)
6

# Without room for the program's output, the message names the file and so the disk.
=== says.sh
echo words
echo '{"metric": "dev/acc", "step": 1, "value": 1}' >> "$RETHINK_EVENTS"
===
$ sed 's/train.sh/says.sh/g; s/sweep: own/sweep: says/' own.yaml >says.yaml; RETHINK_FAULT='write:ENOSPC:attempt-1/log:*' sh full.sh rethink run says.yaml --store log --quiet >said 2>&1; echo $?; grep -o '/log/trials/[^:]*: cannot write' said | sort -u; rethink run says.yaml --store log --quiet; cat log/trials/*/attempt-2/log
3
/log/trials/<any>/attempt-1/log: cannot write
words
