# `keep: weights` is added to a done sweep: its weights are made again, and the plan says so.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2}
===
$ rethink run s.yaml --quiet
$ rethink plan s.yaml --set keep=weights
stage                      trials distinct     done  running    ended   to run
s train                         1        1        0        0        0        1<any>

to run
  <id>  train seed=0
      done, but its weights, which 'keep' asks for, are missing or were not kept

$ rethink run s.yaml --set keep=weights --quiet
$ ls store/trials/*/artifacts
weights.safetensors
$ rethink plan s.yaml --set keep=weights
stage                      trials distinct     done  running    ended   to run
s train                         1        1        1        0        0        0
$ rethink run s.yaml --set keep=weights
1 of 1 trials done
next: rethink table <any> or rethink figure <any>

# A program that keeps no weights has done what it does: it does not run again.
=== own.sh
echo '{"metric": "dev/acc", "step": 1, "value": 1}' >> $RETHINK_EVENTS
===
=== own.yaml
sweep: own
keep: weights
stages:
  train: {job: command, run: [sh, own.sh], code: [own.sh], metrics: {dev/acc: max}}
===
$ rethink run own.yaml --quiet; rethink run own.yaml; rethink query "SELECT count(*) AS attempts FROM attempt JOIN trial ON trial.id = trial WHERE job = 'command'" --format csv
1 of 1 trials done
next: rethink table <any> or rethink figure <any>
attempts
1
