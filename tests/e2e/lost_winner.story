# The weights of a trial that a select chose are gone: what needs the select waits until that trial has run again.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 20, sleep_ms: 20, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  next: {job: noop, steps: 2, needs: {init: best}}
  after: {job: noop, steps: 2, needs: {init: next}}
===
$ rethink run s.yaml --quiet
$ rm store/trials/*/artifacts/weights.safetensors
$ rethink run s.yaml --set stages.next.steps=3 --slots 4 --quiet

# The same where its result is gone.
$ for trial in $(rethink query "SELECT id FROM trial WHERE json_extract(configuration, '$.tag') != ''" --format csv | tail -n +2); do rm -f store/trials/$trial/result.json; done
$ rethink run s.yaml --set stages.next.steps=4 --slots 4 --quiet
