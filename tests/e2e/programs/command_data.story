# A program's data that changed after the plan is refused: the trial has the identity of the planned content.
=== own.yaml
sweep: own
stages:
  change:
    job: command
    run: [sh, -c, 'echo "$0" >"$1/deep/text"; echo model >m; echo "{{\"artifact\": \"weights\", \"path\": \"m\"}}" >>"$RETHINK_EVENTS"', "{config.text}", "{config.folder}"]
    code: [own.yaml]
    config: {text: new, folder: /nowhere}
  read:
    job: command
    needs: {init: change}
    run: [cat, "{data.corpus}/deep/text"]
    code: [own.yaml]
    data: {corpus: {dir: corpus}}
===
$ mkdir -p corpus/deep && echo old >corpus/deep/text; rethink run own.yaml --quiet --set stages.change.config.folder="$PWD/corpus"
failed: <id>  read seed 0: data.corpus: <any>corpus has changed since it was planned; run the sweep again, which plans a new trial
  log: <any>/attempt-1/log
...
[exit 1]

$ rethink run own.yaml --quiet --set stages.change.config.folder="$PWD/corpus"; cat $(rethink query "select 'store/trials/' || id || '/attempt-1/log' from trial join sweep_trial on trial = id where state = 'done' and stage = 'read'" --format csv | tail -1)
new
