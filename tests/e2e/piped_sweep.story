# A sweep through a pipe: planned as it is, and kept where it runs, so that it can be resumed.
=== template.yaml
sweep: by/hand
seeds: [0, 1]
stages:
  train: {job: noop, steps: 2, tag: "TAG"}
===
$ sed s/TAG/x/ template.yaml | rethink plan - --check; ls store/piped 2>/dev/null || echo nothing is kept
nothing is kept

$ sed s/TAG/x/ template.yaml | rethink run - --max-trials 1 --quiet
1 of 2 trials run, 1 left (--max-trials 1); the same command goes on

$ tail -1 store/piped/by/hand.yaml; rethink run store/piped/by/hand.yaml --quiet; rethink query --show n --by tag --format csv
  train: {job: noop, steps: 2, tag: "x"}
tag,n
x,2

$ bash -c 'rethink run <(sed s/TAG/x/ template.yaml)' 2>&1 | grep done
2 of 2 trials done

# A slip does not take the place of what was kept.
$ sed 's/TAG/x/; s/steps/stepz/' template.yaml | rethink run - 2>&1 | head -1; tail -1 store/piped/by/hand.yaml
<any>/hand.yaml:4:<any>error: unknown key 'stepz'; did you mean 'steps'?<any>
  train: {job: noop, steps: 2, tag: "x"}

# What is wrong in it is said as of any sweep.
$ echo 'sweep: [' | rethink plan -
<any>/sweep.yaml:1:8: error: this '[' is not closed
  sweep: [
         ^
[exit 2]

$ sed s/TAG/x/ template.yaml > one; bash -c 'rethink plan <(cat one) <(cat one)' 2>&1 | sed 's/fd.[0-9]*/fd/'; rm one
/dev/fd: the second sweep 'by/hand' that comes through a pipe; give each a name of its own
