# A sweep through a pipe: planned as it is, and kept where it runs, so that it can be resumed.
=== template.yaml
sweep: by/hand
seeds: [0, 1]
stages:
  train: {job: noop, steps: 2, tag: "TAG"}
===
$ sed s/TAG/x/ template.yaml | rethink plan - --format json | grep -o '"to_run":[0-9]*'; ls store 2>&1 | head -1
<any>
$ sed s/TAG/x/ template.yaml | rethink run - --max-trials 1 --quiet; echo; cat store/piped/by_hand.yaml | tail -1
<any>
  train: {job: noop, steps: 2, tag: "x"}

$ rethink run store/piped/by_hand.yaml --quiet; rethink query --show 'tag,n' --by tag
<any>

$ bash -c 'rethink run <(sed s/TAG/x/ template.yaml)' 2>&1 | head -1
<any>

# What is wrong in it is said as of any sweep.
$ echo 'sweep: [' | rethink plan -
<any>/sweep.yaml:1:8: error: this '[' is not closed
  sweep: [
         ^
[exit 2]

$ sed s/TAG/x/ template.yaml > one; bash -c 'rethink plan <(cat one) <(cat one)' 2>&1 | sed 's/fd.[0-9]*/fd/'; rm one
/dev/fd: the second sweep 'by_hand' that comes through a pipe; give each a name of its own
