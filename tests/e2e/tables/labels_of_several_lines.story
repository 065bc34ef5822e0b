# A label may hold any text; what names a trial stays one line.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: ["two\nlines", other]}}
===
$ rethink plan s.yaml
stage                      trials distinct     done  running    ended   to run
s train                         2        2        0        0        0        2  time and disk unknown

to run
  <id>  train tag=two lines seed=0: new
  <id>  train tag=other seed=0: new

$ rethink run s.yaml --max-trials 1
started   <id>  train tag=two lines seed 0
done      <id>  train tag=two lines seed 0  <t>  dev/score@last <n>
1 of 2 trials done, 1 ready
<any>

$ rethink status --all
s: 1 of 2 done, 1 ready
...
  done      <id>  train tag=two lines seed 0  <t>
  ready     <id>  train tag=other seed 0
no driver is running
