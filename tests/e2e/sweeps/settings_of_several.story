# With several sweeps a setting applies to those that have the option; it is a mistake if none has it.
=== search.yaml
sweep: search
seeds: [0]
stages:
  search: {job: noop, grid: {steps: [1, 2]}}
===
=== plain.yaml
sweep: plain
seeds: [0]
stages:
  base: {job: noop, cases: {arm: {plain: {}}}}
===
=== plots/tables/both.yaml
table: both
sweep: search.yaml
stage: search
metric: dev/score@last
rows:
  - {axis: steps, order: [1, 2], others: "{} steps"}
  - {label: plain, sweep: plain.yaml, stage: base, where: {arm: plain}}
columns: [{label: score}]
seeds: 1
===
$ rethink table both --set stages.search.grid.steps='[2, 7]' --run --quiet --format csv | cut -d, -f 1-5,9,10
table,profile,row,column,value_name,n,planned
both,,1,score,dev/score@last,0,0
both,,2,score,dev/score@last,1,1
both,,7 steps,score,dev/score@last,1,1
both,,plain,score,dev/score@last,1,1

# A case that one sweep's axis lacks may belong to another sweep.
=== more.yaml
sweep: more
seeds: [0]
stages:
  base: {job: noop, cases: {arm: {plain: {}, other: {steps: 9}}}}
===
$ rethink plan plain.yaml more.yaml --set 'stages.base.only.arm=[other]' | grep base
plain base <any>
more base <any>
...
$ rethink plan plain.yaml more.yaml --set 'stages.base.only.arm=[none]'
--set stages.base.only.arm=[none]: error: axis 'arm' has no 'none'<any>
--set stages.base.only.arm=[none]: error: axis 'arm' has no 'none'<any>
[exit 2]

$ rethink run plain.yaml search.yaml --set stages.base.tag=x --quiet

# The record has the command of the table, and of `run` the settings that each sweep used.
$ rethink status
plain: 2 of 2 done
  1 of 1 done, by: rethink table both --run --set 'stages.search.grid.steps=[2, 7]'
  1 of 1 done, by: rethink run plain.yaml --set stages.base.tag=x
search: 3 of 3 done
  2 of 2 done, by: rethink run search.yaml
  2 of 2 done, by: rethink table both --run --set 'stages.search.grid.steps=[2, 7]'
no driver is running

$ rethink table both --set stages.serch.grid.steps='[2, 7]'
--set stages.serch.grid.steps=[2, 7]: error: unknown stage 'serch'; did you mean 'search'?; stages: search
--set stages.serch.grid.steps=[2, 7]: error: unknown stage 'serch'; stages: base
[exit 2]

$ rethink run search.yaml --set stages.base.tag=x
--set stages.base.tag=x: error: unknown stage 'base'; stages: search
[exit 2]
