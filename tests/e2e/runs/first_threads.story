# A trial continues with the number of threads of its checkpoint, since another number would give other bits.
# not under ONE_CORE: it asks for two threads
=== one.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 4, checkpoint_every: 1, fail_at: 3}
===
=== two.yaml
sweep: s
seeds: [0]
resources: {threads: 2, deterministic: false}
stages:
  train: {job: noop, steps: 4, checkpoint_every: 1, fail_at: 3}
===
$ rethink run one.yaml --quiet
...
[exit 1]
$ rethink retry s
1 trial may run again
$ rm one.yaml
$ rethink run two.yaml --quiet
<any> warning goes on as its first attempt ran, as anything else would give other bits: train seed 0 (threads 1, not 2, deterministic true, not false)
...
[exit 1]

$ rethink query "SELECT number, resume_step, json_extract(facts, '$.threads') AS threads, json_extract(facts, '$.deterministic') AS deterministic, json_extract(facts, '$.host') IS NOT NULL AS host FROM attempt" --format csv
number,resume_step,threads,deterministic,host
1,0,1,1,1
2,2,1,1,1
