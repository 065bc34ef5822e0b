# Endings of a program after SIGTERM: which of its processes get the signal, and where its checkpoint is.
# not under ODD_PLACE, ONE_CORE, BARE: many programs wait at once
=== ends.sh
# Keeps a checkpoint when it is told to stop, and ends in one of several ways; $2 is the checkpoint.
say() { echo "$1" >> "$RETHINK_EVENTS"; }
if [ -n "$2" ]; then
  [ "$2" = "$RETHINK_CHECKPOINT" ] || exit 9
  say "{\"metric\": \"dev/acc\", \"step\": 2, \"value\": $(cat "$2/state")}"
  exit 0
fi
stop() {
  mkdir out && echo 2 >out/state && say '{"checkpoint": 1, "path": "out"}'
  case $1 in
    signal) trap - TERM; kill -TERM $$ ;;
    done)   say '{"done": true}'; exit 0 ;;
    broken) say '{"done": true}'; say '{"environment": {"shell": "sh"}}'; exit 3 ;;
    more)   say '{"done": true}'; say '{"metric": "dev/acc", "step": 1, "value": 1}'; exit 0 ;;
    late)   say '{"done": true}'; trap - TERM; kill -TERM $$ ;;
    *)      exit $1 ;;
  esac
}
trap "stop $1" TERM
say '{"metric": "dev/acc", "step": 1, "value": 1}'
while :; do sleep 0.05; done
=== ends.yaml
sweep: ends
stages:
  train:
    job: command
    run: [sh, ends.sh, "{config.how}", "{checkpoint}"]
    code: [ends.sh]
    grid: {config.how: ["0", "1", "75", "143", signal, done, broken, more, late]}
    metrics: {dev/acc: max}
=== interrupt.sh
# interrupt.sh STORE TRIALS ARGUMENTS: runs until so many trials have said step 1, then stops the driver.
store=$1 trials=$2; shift 2
rethink run "$@" --store "$store" --slots "$trials" >"$store.log" 2>&1 &
driver=$!
for i in $(seq 1200); do [ "$(cat "$store"/trials/*/attempt-1/events.jsonl 2>/dev/null | grep -c '"step":1')" -ge "$trials" ] && break; sleep 0.05; done
kill -INT $driver
wait $driver
===
$ sh interrupt.sh ends 9 ends.yaml; rethink query 'select "config.how" as how, state, score from runs order by how' --store ends --format csv; rethink run ends.yaml --store ends --quiet >/dev/null 2>&1; rethink query 'select "config.how" as how, score, (select group_concat(outcome, " then ") from (select outcome from attempt a where a.trial = runs.trial order by number)) as outcomes from runs order by how' --store ends --format csv
how,state,score
0,ready,
1,ready,
143,ready,
75,ready,
broken,failed,
done,done,1.0
late,ready,
more,ready,
signal,ready,
how,score,outcomes
0,2.0,interrupted then done
1,2.0,interrupted then done
143,2.0,interrupted then done
75,2.0,interrupted then done
broken,,failed
done,1.0,done
late,2.0,interrupted then done
more,2.0,interrupted then done
signal,2.0,interrupted then done

$ rethink query "select message from trial where state = 'failed'" --store ends --format csv
message
"sh: exit code 3 after it reported {""done"": true}"

# A Ctrl-C of Python ends it, too.
=== keyboard.py
import os, signal, sys, time

signal.signal(signal.SIGTERM, signal.default_int_handler)
events = open(os.environ["RETHINK_EVENTS"], "a", buffering=1)
events.write('{"metric": "dev/acc", "step": 1, "value": 1}\n')
while not os.environ.get("RETHINK_CHECKPOINT") and int(os.environ["RETHINK_ATTEMPT"]) == 1:
    time.sleep(0.05)
=== keyboard.yaml
sweep: keyboard
stages:
  train: {job: command, run: [python3, keyboard.py], code: [keyboard.py], metrics: {dev/acc: max}}
===
$ sh interrupt.sh keyboard 1 keyboard.yaml; rethink run keyboard.yaml --store keyboard --quiet; rethink query "select number, outcome from attempt order by number" --store keyboard --format csv
number,outcome
1,interrupted
2,done

# Only the first process gets SIGTERM, or every process does.
=== tree.sh
if [ "$1" = child ]; then
  trap 'echo told >>"$2"; exit' TERM
  echo '{"metric": "dev/acc", "step": 1, "value": 1}' >> "$RETHINK_EVENTS"
  for i in $(seq 1200); do sleep 0.05; done
  exit
fi
trap 'sleep 1; exit 75' TERM
setsid sh tree.sh child "$1" &
while :; do sleep 0.05; done
=== tree.yaml
sweep: tree
stages:
  train:
    job: command
    run: [sh, tree.sh, "{config.file}"]
    code: [tree.sh]
    metrics: {dev/acc: max}
===
$ for who in leader tree; do sh interrupt.sh $who 1 tree.yaml --set stages.train.terminate=$who --set stages.train.config.file="$PWD/$who.told"; cat $who.told 2>&1; grep -ho 'the program ended and left[^"]*' $who/trials/*/attempt-1/events.jsonl; done; true
cat: leader.told: No such file or directory
the program ended and left <n> of its processes, which were killed
told
