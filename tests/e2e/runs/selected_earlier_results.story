# If the repetition of a select's winners fails, their earlier results also count in tables of the select.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  pre: {job: noop, steps: 20, sleep_ms: 100, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: pre}, over: [tag], by: dev/score}
=== c.yaml
sweep: c
seeds: [0, 1]
limits: {time: 1s}
stages:
  pre: {job: noop, steps: 20, sleep_ms: 100, grid: {tag: [a, b]}}
  next: {job: noop, needs: {init: pre}, steps: 2, tag: z}
=== plots/tables/best.yaml
table: best
sweep: s.yaml
stage: best
metric: dev/score@last
rows: [{label: best}]
columns: [{label: x}]
seeds: 2
===
$ rethink run s.yaml --quiet --slots 4 && rethink table best --format csv | cut -d, -f 6,9,10 > before; cat before
value,n,planned
<n>,2,2
$ rethink run c.yaml --quiet --slots 4 2>&1 | grep 'worked longer than 1 s'
failed, 4 trials: worked longer than 1 s<any>
$ rethink table best --format csv | cut -d, -f 6,9,10 | cmp - before
$ rethink table best | grep -o 'of 2 trials failed.*'
of 2 trials failed when repeated for their files; their earlier results are shown
