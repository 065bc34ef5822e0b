# A user's program as a trial: it reports by lines, goes on from its checkpoint after a stop, and its numbers are in the store.
=== train.sh
# Counts to the steps that it is told, an event each, with a checkpoint after each second step; the first time it waits at 5.
step=0
[ -z "$RETHINK_CHECKPOINT" ] || step=$(cat "$RETHINK_CHECKPOINT/step")
[ "$step" = 0 ] || echo "goes on after $step"
stop=
trap 'stop=1' TERM
while [ $step -lt $2 ]; do
  step=$((step + 1))
  echo "{\"metric\": \"dev/acc\", \"step\": $step, \"value\": 0.$1$step}" >> "$RETHINK_EVENTS"
  if [ $((step % 2)) = 0 ]; then
    mkdir -p "$RETHINK_SCRATCH/ckpt" && echo $step > "$RETHINK_SCRATCH/ckpt/step"
    echo "{\"checkpoint\": $step, \"path\": \"$RETHINK_SCRATCH/ckpt\"}" >> "$RETHINK_EVENTS"
  fi
  while [ $step = 5 ] && [ -z "$RETHINK_CHECKPOINT$stop" ]; do sleep 0.05; done
  [ -z "$stop" ] || exit 75
done
echo "rate $(sed -n 's/.*"rate": \([0-9]*\).*/\1/p' "$RETHINK_CONFIG"), seed $RETHINK_SEED, hidden ${HIDDEN:-no}, passed ${PASSED:-no}"
echo result > result.txt
echo "{\"artifact\": \"result\", \"path\": \"result.txt\"}" >> "$RETHINK_EVENTS"
=== own.yaml
sweep: own
stages:
  train:
    job: command
    run: [sh, train.sh, "{config.rate}", "{config.steps}"]
    code: [train.sh]
    pass: [PASSED]
    config: {steps: 6}
    grid: {config.rate: [1, 2]}
    metrics: {dev/acc: max}
===
$ export HIDDEN=1 PASSED=passed-value; rethink run own.yaml --slots 2 >first.txt 2>&1 & driver=$!; for i in $(seq 1200); do [ "$(cat store/trials/*/attempt-1/events.jsonl 2>/dev/null | grep -c '"step":5')" = 2 ] && break; sleep 0.05; done; kill -INT $driver; wait $driver; code=$?; echo $code; [ $code = 130 ] || cat first.txt
130

$ PASSED=passed-value rethink run own.yaml
...
2 of 2 trials done
...

$ for trial in $(rethink query "select id from trial order by configuration" --format csv | tail -n +2); do rethink logs $trial | grep -E "goes on|rate"; done
...
goes on after 4
rate 1, seed 0, hidden no, passed ***
...
goes on after 4
rate 2, seed 0, hidden no, passed ***

$ rethink query "select split, name, step, value from metric order by value, step, name" --format csv
split,name,step,value
dev,acc,1,0.11
dev,acc,2,0.12
dev,acc,3,0.13
dev,acc,4,0.14
dev,acc,5,0.15
dev,acc,6,0.16
dev,acc@best,6,0.16
dev,acc@last,6,0.16
dev,score,6,0.16
dev,score@best,6,0.16
dev,score@last,6,0.16
dev,acc,1,0.21
dev,acc,2,0.22
dev,acc,3,0.23
dev,acc,4,0.24
dev,acc,5,0.25
dev,acc,6,0.26
dev,acc@best,6,0.26
dev,acc@last,6,0.26
dev,score,6,0.26
dev,score@best,6,0.26
dev,score@last,6,0.26

$ cat store/trials/*/artifacts/result.txt; ls store/trials/*/attempt-2
result
result
<any>
events.jsonl
log

<any>
events.jsonl
log

# Its code is kept, and other code makes other trials.
$ rethink show $(ls store/trials | head -1) | grep '^code  *store'; rethink plan own.yaml | grep -A1 ^programs
code    store/code/<any>
own.yaml:7:11: note: 'pass': PASSED is not set here, so the program starts without it
programs
  own train: sh train.sh <any>{config.rate}<any> <any>{config.steps}<any>  (code <id>)

$ ls store/code/*; echo "# a change" >>train.sh; PASSED=passed-value rethink plan own.yaml | tail -2
train.sh
  <id>  train config.rate=1 seed=0: stale: done as <id> with other code: train.sh changed
  <id>  train config.rate=2 seed=0: stale: done as <id> with other code: train.sh changed

# A program that ends in another way than it should gets an explanation.
=== bad.yaml
sweep: bad
stages:
  train:
    job: command
    run: [sh, -c, "{config.does}"]
    code: [train.sh]
    cases:
      how:
        code:    {config.does: "echo one >&2; echo no such file >&2; exit 3"}
        nothing: {config.does: "true"}
        later:   {config.does: "exit 75"}
        wrong:   {config.does: "echo '{\"metric\": \"dev/acc\", \"step\": 1' >> $RETHINK_EVENTS"}
        nan:     {config.does: "echo '{\"metric\": \"dev/acc\", \"step\": 1, \"value\": NaN}' >> $RETHINK_EVENTS"}
        was_nan: {config.does: "for value in NaN 0.5; do echo '{\"metric\": \"dev/acc\", \"step\": 1, \"value\": '$value'}' >> $RETHINK_EVENTS; done"}
    metrics: {dev/acc: max}
===
$ rethink run bad.yaml --store bad >/dev/null 2>&1; rethink query "select labels ->> 'how' as how, t.state, t.message from trial t join sweep_trial s on s.trial = t.id order by how" --store bad --format csv
how,state,message
code,failed,sh: exit code 3: no such file
later,failed,"exit code 75, which means that the program stopped on request, but no stop was requested"
nan,diverged,<any>
nothing,failed,"ended without dev/acc: `metrics` requires it, but the program reported no metric"
was_nan,diverged,<any>
wrong,failed,<any>

$ sed 's/metrics:/nan: {dev\/acc: ignore}\n    metrics:/' bad.yaml >ignores.yaml; rethink run ignores.yaml --store ignores >/dev/null 2>&1; rethink query "select labels ->> 'how' as how, t.state from trial t join sweep_trial s on s.trial = t.id where how like '%nan' order by how" --store ignores --format csv
how,state
nan,done
was_nan,done

# A free port is one port, however often it is written.
=== port.yaml
sweep: port
stages:
  t: {job: command, run: [sh, -c, '[ "$OWN" = "$0" ] && [ "$OWN" = "$1" ] && echo the same', "{port}", "{port}"], env: {OWN: "{port}"}, code: [train.sh]}
===
$ rethink run port.yaml --store port --quiet; cat port/trials/*/attempt-1/log
the same

$ printf 'sweep: none\nstages:\n  t: {job: command, run: [no-such-program], code: [train.sh]}\n' >none.yaml; rethink run none.yaml --store none; sed -i 's/code:/env: {PATH: "{code}"}, code:/' none.yaml; rethink run none.yaml --store none >/dev/null 2>&1; rethink query "select state, message from trial" --store none --format csv
none.yaml:3:26: error: 'run': got 'no-such-program', which is not on PATH here; name a program of this machine, or its file
    t: {job: command, run: [no-such-program], code: [train.sh]}
                           ^
state,message
failed,cannot start 'no-such-program': it is not on PATH

# The system calls a script missing whose interpreter is missing; with ends of lines of Windows it always is.
$ printf '#!/bin/sh\r\n' >windows.sh; chmod +x windows.sh; printf 'sweep: windows\nstages:\n  t: {job: command, run: [./windows.sh], code: [windows.sh]}\n' >windows.yaml; rethink run windows.yaml --store windows >/dev/null 2>&1; rethink query "select message from trial" --store windows --format csv
message
"cannot start './windows.sh': No such file or directory; its first line names the interpreter '/bin/sh\<any>', which does not exist"

# The message names the metrics that it reported instead.
=== names.yaml
sweep: names
stages:
  t:
    job: command
    run: [sh, -c, "echo {config.line} >> $RETHINK_EVENTS"]
    code: [train.sh]
    cases:
      how:
        no_split: {config.line: "'{\"metric\": \"acc\", \"step\": 1, \"value\": 1}'"}
        other:    {config.line: "'{\"metric\": \"dev/ac\", \"step\": 1, \"value\": 1}'"}
    metrics: {dev/acc: max}
===
$ rethink run names.yaml --store names >/dev/null 2>&1; rethink query "select t.message from trial t join sweep_trial s on s.trial = t.id order by labels ->> 'how'" --store names --format csv
message
"ended without dev/acc: `metrics` requires it, but the program reported run/acc; run/acc is of another split (a name without one is of run): report it as dev/acc, or write run/acc in `metrics`"
"ended without dev/acc: `metrics` requires it, but the program reported dev/ac; did you mean 'dev/ac'?"

# An axis may set any value; a name that is close to that of a fixed setting may be a slip.
$ printf 'sweep: slip\nstages:\n  t: {job: command, run: [echo, "{config.lr}"], code: [train.sh], config: {lr: 1, beta1: 2}, grid: {config.lrr: [1], config.beta2: [3]}}\n' >slip.yaml; rethink plan slip.yaml --set config.l=2 2>&1 | grep beside
<any>slip.yaml:3:<n>: note: 'config.lrr' is a setting beside those of 'config'; did you mean 'lr'?

# If a path leads nowhere, the message names both places that were searched.
$ mkdir -p sets && printf 'sweep: nowhere\nstages:\n  t: {job: command, run: ["true"], code: [train.sh], data: {corpus: {file: corpus.bin}}}\n' >nowhere.yaml; rethink plan nowhere.yaml --data sets 2>&1 | head -1
<any>nowhere.yaml:3:<n>: error: 'data.corpus': <any>/sets/corpus.bin does not exist, and neither does <any>/corpus.bin

# A file passes from one program to the next as the artifact `weights`, also through a select; a program without it gets advice.
=== chain.yaml
sweep: chain
seeds: [0, 1]
stages:
  train:
    job: command
    run: [sh, -c, "echo of {config.rate} seed {seed} > m; echo '{{\"artifact\": \"weights\", \"path\": \"m\"}}' >> $RETHINK_EVENTS; echo '{{\"metric\": \"dev/acc\", \"step\": 1, \"value\": {config.rate}}}' >> $RETHINK_EVENTS"]
    code: [train.sh]
    grid: {config.rate: [1, 2]}
    metrics: {dev/acc: max}
  best: {job: select, needs: {from: train}, over: [config.rate], by: dev/acc@last}
  test:
    job: command
    needs: {init: best}
    run: [sh, -c, 'cat "$RETHINK_INPUT_INIT"; cmp "$0" "$RETHINK_INPUT_INIT"', "{input.init}"]
    code: [train.sh]
===
$ rethink run chain.yaml --store chain --quiet && cat chain/trials/*/attempt-1/log | sort
of 2 seed 0
of 2 seed 1

=== unchained.yaml
sweep: unchained
stages:
  train: {job: command, run: [sh, -c, "true"], code: [train.sh]}
  test: {job: command, needs: {init: train}, run: [cat, "{input.init}"], code: [train.sh]}
===
$ rethink run unchained.yaml --store chain --quiet
failed: <id>  test seed 0: the program of trial <id> reported no artifact 'weights', which the input 'init' takes: it has to append {"artifact": "weights", "path": FILE} to $RETHINK_EVENTS
...
[exit 1]

# Processes of a killed worker are ended before the next attempt and after the last one; a failed trial keeps its folder for inspection.
=== endless.yaml
sweep: endless
stages:
  train: {job: command, run: [sh, -c, "(sleep 1000 &); sleep 1000 & echo began >> $RETHINK_EVENTS; wait"], code: [train.sh]}
===
=== kill_worker.sh
rethink run endless.yaml --store endless >/dev/null 2>&1 &
driver=$!
began() { for i in $(seq 1200); do cat endless/trials/*/attempt-$1/said.jsonl 2>/dev/null | grep -q began && break; sleep 0.05; done; }
began 1
id=$(ls endless/trials)
folder=$(realpath endless/trials/$id)
count() { grep -al "RETHINK_TRIAL_FOLDER=$folder" /proc/[0-9]*/environ 2>/dev/null | wc -l; }
echo "$(count) processes"
kill -9 "$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' endless/trials/*/lock)"
began 2
echo "$(count) processes"
kill -INT $driver
wait $driver
echo "$(count) processes"
===
$ sh kill_worker.sh; ls bad/trials/$(rethink query "select id from trial where message like 'sh: exit%'" --store bad --format csv | tail -1)/attempt-1
3 processes
3 processes
0 processes
config.json
end.json
events.jsonl
log
scratch
stderr
work

# A program that somebody kills goes on, as if its worker had been killed; a running program's state is shown even without progress reports.
=== shot.yaml
sweep: shot
stages:
  train: {job: command, run: [sh, -c, "echo began $$ >> $RETHINK_EVENTS; sleep 1000"], code: [train.sh]}
===
=== kill_program.sh
rethink run shot.yaml --store shot >/dev/null 2>&1 &
driver=$!
began() { for i in $(seq 1200); do sed -n 's/.*began //p' shot/trials/*/attempt-$1/said.jsonl 2>/dev/null | grep . && break; sleep 0.05; done; }
program=$(began 1)
for i in $(seq 1200); do rethink status --store shot | grep -o "seed 0  running" && break; sleep 0.05; done
kill -9 $program
began 2 >began_again
kill -INT $driver
wait $driver
===
$ sh kill_program.sh; rethink query "select number, outcome, message from attempt order by number" --store shot --format csv
seed 0  running
number,outcome,message
1,killed,sh: ended by signal 9 (Killed)
2,interrupted,stopped

$ rethink db check --store bad; rethink db check --store endless
the database is sound and its states are those of the folders (--hashes compares every row, event and artifact)
the database is sound and its states are those of the folders (--hashes compares every row, event and artifact)

# A variable that is passed on is nowhere in the store.
$ printf 'sweep: s\nstages:\n  t: {job: command, run: [sh, -c, "echo token $TOKEN; echo $TOKEN >&2; exit 1"], pass: [TOKEN], code: [train.sh]}\n' >secret.yaml; TOKEN=hidden-value rethink run secret.yaml --store secret >/dev/null 2>&1; grep -r hidden-value secret; cd secret/trials/*/attempt-1 && head log stderr
==> log <==
token ***
<any>

==> stderr <==
***

# Nor is a value that JSON escapes; the reports of a running program are overwritten once they were read. A value that is too short to be hidden is refused.
=== escaped.sh
printf '%s\n' '{"token": "hid\"den-\\-\u00df"}'
printf '%s\n' '{"text": "note", "step": 1, "value": "it is hid\"den-\\-\u00df, or \u0068id\"den-\\-\u00df"}' "$TOKEN" >> "$RETHINK_EVENTS"
for i in $(seq 200); do [ "$(tr -d '\0' < "$RETHINK_EVENTS" | wc -c)" = 0 ] && break; sleep 0.05; done
echo "left: $(tr -d '\0' < "$RETHINK_EVENTS" | wc -c)"
===
$ printf 'sweep: e\nstages:\n  t: {job: command, run: [sh, escaped.sh], pass: [TOKEN], code: [escaped.sh]}\n' >escaped.yaml; TOKEN='hid"den-\-ß' rethink run escaped.yaml --store escaped >/dev/null 2>&1; grep -rl 'den-' escaped --exclude-dir=code; cat escaped/trials/*/attempt-1/log; rethink query "select body ->> 'value' as text from event where event = 'text'" --store escaped --format csv
{"token": "***"}
left: 0
text
"it is ***, or ***"

$ TOKEN=12345 rethink run escaped.yaml --store escaped
escaped.yaml:3:<n>: error: 'pass': the value of TOKEN has 5 bytes, expected at least 6: a shorter value cannot be hidden in logs and events; set values that are not secret with `env`
<any>
<any>
[exit 2]

# Standard output and standard error are shown together, or standard error alone.
$ rethink logs $(ls secret/trials) --store secret; rethink logs $(ls secret/trials) --store secret --stderr
== attempt 1
== start <any>
error: sh: exit code 1: ***
== failed <any>
token ***
stderr: ***
***
