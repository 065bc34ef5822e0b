# Faults of a program are reported, nothing is lost, and earlier checkpoints stay.
=== faults.sh
say() { echo "$1" >> "$RETHINK_EVENTS"; }
metric() { say "{\"metric\": \"dev/acc\", \"step\": $1, \"value\": $1}"; }
checkpoint() { say "{\"checkpoint\": $1, \"path\": \"$2\"}"; }
until_told() { for i in $(seq 600); do grep -q "$1" "$RETHINK_SCRATCH/../events.jsonl" && break; sleep 0.05; done; }
case $1 in
  half)     metric 1; printf '{"tick": 1' >> "$RETHINK_EVENTS" ;;
  no_end)   printf '{"metric": "dev/acc", "step": 1, "value": 1}' >> "$RETHINK_EVENTS" ;;
  garbage)  metric 1; yes "$(printf '\377\001\033[31m')" | head -c 300000 | tr -d '\n' >> "$RETHINK_EVENTS"; say ''; say '[1]'; say '{"tick": -1}' ;;
  long)     metric 1; say "{\"text\": \"sample\", \"step\": 1, \"value\": \"$(head -c 70000 /dev/zero | tr '\0' x)\"}" ;;
  crlf)     printf '{"metric": "dev/acc", "step": 1, "value": 2}\r\n' >> "$RETHINK_EVENTS" ;;
  in_place) mkdir out; head -c 40000000 /dev/zero >out/state; checkpoint 1 out; until_told '"checkpoint"'; metric 2
            (while echo more >> out/state; do sleep 0.001; done) & sleep 0.1; checkpoint 2 out; until_told 'of step 2 is not kept'; kill $!; wait ;;
  again)    mkdir out; echo 2 >out/state; printf '{"checkpoint": 1, "path": "out"}\n{"metric": "dev/acc", "step": 2, "value": 2}\n{"checkpoint": 2, "path": "./out"}\n' >> "$RETHINK_EVENTS" ;;
  missing)  metric 1; checkpoint 1 nowhere ;;
  children) metric 1; (setsid sleep 1000 &) ; sleep 1000 & ;;
  markup)   metric 1; say '{"metric": "dev/<b>$x_1$ & \u0394", "step": 1, "value": 1}' ;;
  escape)   metric 1; say '{"metric": "dev/\u001b[31m", "step": 1, "value": 1}' ;;
  no_append) for i in 1 2 3; do printf '{"metric": "dev/acc", "step": %d, "value": 1}\n' $i > "$RETHINK_EVENTS"; sleep 0.2; done ;;
  replaced) metric 1; until_told '"metric"'; rm "$RETHINK_EVENTS"; sleep 0.5; metric 2 ;;
  folder)   metric 1; mkdir out; say '{"artifact": "model", "path": "out"}' ;;
  outside)  metric 1; say '{"artifact": "hosts", "path": "/nowhere/hosts"}' ;;
esac
=== faults.yaml
sweep: faults
stages:
  train:
    job: command
    run: [sh, faults.sh, "{config.does}"]
    code: [faults.sh]
    grid: {config.does: [half, no_end, garbage, long, crlf, in_place, again, missing, children, markup, escape, no_append, replaced, folder, outside]}
    metrics: {dev/acc: max}
===
$ rethink run faults.yaml --quiet 2>/dev/null; rethink query "select t.configuration ->> 'config' ->> 'does' as does, t.state, coalesce(nullif(t.message, ''), (select group_concat(text, '; ') from event e where e.trial = t.id and level = 'warning')) as said from trial t order by does" --format csv
does,state,said
again,done,"the checkpoint of step 1 is not kept: <any>/work/out was reported again before it was copied; give each checkpoint a folder of its own, or report fewer"
children,done,"the program ended and left 2 of its processes, which were killed"
crlf,done,
escape,failed,"'metric' is not a name: it has an @ or a control character: {""metric"": ""dev/\u001b[31m"", ""step"": 1, ""value"": 1}"
folder,done,the artifact 'model' is not kept: <any>/work/out is a folder: pack it into one file (tar) and report that
garbage,done,"a line of more than 64 KiB: \xff\x01\x1b[31m<any>...; it is not a JSON object: [1]; 'tick' is not a step, a whole number from 0 on: {""tick"": -1}"
half,done,"its last line of events has no end: {""tick"": 1"
in_place,done,<any>the checkpoint of step 2 is not kept: <any>/work/out changed while it was copied<any>
long,done,"a line of more than 64 KiB: {""text"": ""sample"", ""step"": 1, ""value"": ""xx<any>..."
markup,done,
missing,done,the checkpoint of step 1 is not kept: <any>/work/nowhere is not there
no_append,failed,"$RETHINK_EVENTS was truncated, so lines are lost; open it to append (>>, mode a)"
no_end,failed,"ended without dev/acc: `metrics` requires it, but the program reported no metric; its last report lacks the end of the line"
outside,done,the artifact 'hosts' is not kept: /nowhere/hosts is no file
replaced,failed,"$RETHINK_EVENTS was replaced or removed, so lines are lost; open it to append (>>, mode a)"

# A name with markup is shown as text everywhere.
$ for format in latex md; do rethink query "select name, value from metric where name like '<b>%'" --format $format | grep 'x._1'; done; rethink show $(rethink query "select trial from metric where name like '<b>%'" --format csv | tail -1) | grep -F '<b>'
$<$b$>$\$x\_1\$ \& $\Delta$ &     1 \\
| &lt;b>\$x\_1\$ & Δ |     1 |
dev/<b>$x_1$ & Δ      1     1

# A program that ignores the signal to stop is killed after `limits.grace`, and goes on from its checkpoint.
=== deaf.sh
trap '' TERM
[ -z "$RETHINK_CHECKPOINT" ] || { echo '{"metric": "dev/acc", "step": 2, "value": 2}' >> "$RETHINK_EVENTS"; exit 0; }
mkdir out && echo 1 >out/step && echo '{"metric": "dev/acc", "step": 1, "value": 1}' >> "$RETHINK_EVENTS" && echo '{"checkpoint": 1, "path": "out"}' >> "$RETHINK_EVENTS"
while :; do sleep 0.1; done
=== deaf.yaml
sweep: deaf
stages:
  train: {job: command, run: [sh, deaf.sh], code: [deaf.sh], limits: {grace: 1s}, metrics: {dev/acc: max}}
===
$ rethink run deaf.yaml --store deaf --quiet >/dev/null 2>&1 & driver=$!; for i in $(seq 1200); do grep -q '"checkpoint"' deaf/trials/*/attempt-1/events.jsonl 2>/dev/null && break; sleep 0.05; done; kill -INT $driver; wait $driver; echo $?; rethink run deaf.yaml --store deaf --quiet; rethink query "select step, value from metric where name = 'acc' order by step" --store deaf --format csv; grep -ho 'it was killed[^"]*' deaf/trials/*/attempt-1/events.jsonl
130
step,value
1,1.0
2,2.0
it was killed 1 s after it was told to stop (limits.grace)
