# Expressions read the printed numbers of a script that nobody may edit.
=== print.sh
for step in 1 2 3; do
  echo "step $step loss=$((10 - step)) acc=0.$step"
  echo "step $step loss=nan" >&2
done
printf 'progress 10%%\rprogress 50%% mean=4\rprogress 100%% mean=5'
=== print.yaml
sweep: print
stages:
  said:
    job: command
    run: [sh, print.sh]
    code: [print.sh]
    metrics: {dev/acc: max}
    stdout: {dev/acc: 'step {step} .*acc={value}', train/loss: '^step {step} loss={value} '}
  counted:
    job: command
    run: [sh, print.sh]
    code: [print.sh]
    stdout: {dev/mean: 'mean={value}'}
    step: count
===
$ rethink run print.yaml --quiet && rethink query "select split, name, step, value from metric order by split, name, step" --format csv
split,name,step,value
dev,acc,1,0.1
dev,acc,2,0.2
dev,acc,3,0.3
dev,acc@best,3,0.3
dev,acc@last,3,0.3
dev,mean,1,4.0
dev,mean,2,5.0
dev,score,3,0.3
dev,score@best,3,0.3
dev,score@last,3,0.3
train,loss,1,9.0
train,loss,2,8.0
train,loss,3,7.0

# An impossible expression is a mistake in the sweep.
$ sed "s/acc={value}'/acc=({value}'/" print.yaml >wrong.yaml; rethink plan wrong.yaml
wrong.yaml:8:23: error: 'stdout.dev/acc': 'step {step} .*acc=({value}' is not a regular expression of RE2: missing ): <any>
      stdout: {dev/acc: 'step {step} .*acc=({value}', train/loss: '^step {step} loss={value} '}
                        ^
[exit 2]

# A NaN without a meaning is allowed by name.
=== nan.sh
for name in a b; do echo "{\"metric\": \"dev/$name\", \"step\": 1, \"value\": NaN}"; done >> "$RETHINK_EVENTS"
=== nan.yaml
sweep: nan
stages:
  train:
    job: command
    run: [sh, nan.sh]
    code: [nan.sh]
    metrics: {dev/a: max, dev/b: min}
    nan: {dev/a: ignore}
===
$ rethink run nan.yaml --store nan --quiet 2>/dev/null; rethink query "select state from trial" --store nan --format csv; sed 's/dev.a: ignore/dev\/a: ignore, dev\/b: ignore/' nan.yaml >both.yaml; rethink run both.yaml --store both --quiet; rethink query "select state from trial" --store both --format csv
state
diverged
state
done

# An infinite value is one, too.
$ sed 's/NaN/-Infinity/' nan.sh >inf.sh; sed 's/nan.sh/inf.sh/g' nan.yaml >inf.yaml; rethink run inf.yaml --store inf --quiet 2>/dev/null; rethink query "select state from trial" --store inf --format csv; rethink query "select text from event where level = 'warning'" --store inf --format csv
state
diverged
text
dev/b of step 1 is infinite: the trial has diverged when its program ends; `nan: {dev/b: ignore}` allows NaN and infinity

# A part of a number is no value, and a file in the program's own folder is lost: both are warnings.
=== lose.sh
echo "step 1 loss=1,234.5 acc=91.3%"
for name in a b c d; do echo x >$name.bin; done
mkdir __pycache__ && echo x >__pycache__/e.pyc
=== lose.yaml
sweep: lose
stages:
  train:
    job: command
    run: [sh, lose.sh]
    code: [lose.sh]
    metrics: {dev/acc: max}
    stdout: {dev/acc: 'step {step} .*acc={value}', train/loss: 'step {step} loss={value}', dev/f1: 'step {step} f1 {value}'}
===
$ rethink run lose.yaml --store lose 2>&1 | grep -o 'warning .*' | sed 's/.*seed 0: //'; rethink query "select name, value from metric where name in ('acc', 'loss')" --store lose --format csv; rethink logs $(ls lose/trials) --store lose | grep -c 'the program left'
the pattern 'step {step} loss={value}' would read only '1' of '1,234.5', which is no number that rethink reads: such a line has no value
the program left a.bin, b.bin, c.bin and 1 more in its folder, which is removed; write them to {artifacts} ($RETHINK_ARTIFACTS) to keep them
name,value
acc,91.3
1

# Without a required metric the message names those that were reported, and the patterns that matched nothing.
$ sed 's/metrics: .*/metrics: {dev\/f1: max, dev\/acc: max, train\/loss: min}/' lose.yaml >lacks.yaml; rethink run lacks.yaml --store lacks --quiet 2>/dev/null; rethink query "select message from trial" --store lacks --format csv
message
"ended without dev/f1, train/loss: `metrics` requires it, but the program reported dev/acc; the pattern 'step {step} f1 {value}' matched none of its 1 line of standard output; the pattern 'step {step} loss={value}' would read only '1' of '1,234.5', which is no number that rethink reads"

# A module or a file beside the script that is not in the copy of its code is named.
=== parts/use.py
import sys
import utils
print("acc", open("data/train.csv").read())
=== parts/utils.py
=== parts/data/train.csv
0.5
=== parts/use.yaml
sweep: use
stages:
  train:
    job: command
    run: [python3, use.py]
    code: [use.py]
    stdout: {dev/acc: 'acc {value}'}
    step: count
===
$ for add in '' ', utils.py' ', utils.py, data/train.csv'; do sed "s|code: .*|code: [use.py$add]|" parts/use.yaml >parts/now.yaml; rethink run parts/now.yaml --store parts/store --quiet 2>/dev/null; done; rethink query "select state, message from trial where state != 'stale' order by state, message" --store parts/store --format csv
state,message
done,
failed,"python3: exit code 1: FileNotFoundError: [Errno 2] No such file or directory: 'data/train.csv'; data/train.csv is beside the program's code but not in `code:`, so its copy lacks it: add data/train.csv to `code`, or name it in `data` and pass {data.NAME}"
failed,"python3: exit code 1: ModuleNotFoundError: No module named 'utils'; utils.py is beside the program's code but not in `code:`, so its copy lacks it: add utils.py to `code`"
