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
