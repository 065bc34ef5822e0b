# The weights of a trial that a select chose are missing: trials that need the select wait until that trial has run again.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 20, sleep_ms: 20, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  next: {job: noop, steps: 2, needs: {init: best}}
  after: {job: noop, steps: 2, needs: {init: next}}
===
=== nested.yaml
sweep: nested
seeds: [0]
stages:
  train: {job: noop, grid: {tag: [c, d], steps: [2, 3]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  top: {job: select, needs: {from: best}, over: [steps], by: dev/score}
  next: {job: noop, steps: 2, needs: {init: top}}
===
$ rethink run s.yaml --quiet
$ rm store/trials/*/artifacts/weights.safetensors
$ rethink plan s.yaml --set stages.next.steps=3 | grep -c "done, but files that another trial reads are missing"
2
$ rethink run s.yaml --set stages.next.steps=3 --slots 4 --quiet

# Only the winners ran again, since nobody reads the weights of the other candidates.
$ rethink query "SELECT count(*) AS trials FROM attempt WHERE number = 2" --format csv
trials
2

# Only the winner of the reader's seed runs again.
$ rethink rm $(rethink query "SELECT id FROM trial WHERE job = 'noop' AND seed = 0 AND json_extract(configuration, '$.steps') = 3" --format csv | tail -n +2) --yes --quiet | cut -c1-15
removed 1 trial
$ rm -f store/trials/*/artifacts/weights.safetensors
$ rethink run s.yaml --set stages.next.steps=3 --set stages.after=null --slots 4 --quiet
$ rethink query "SELECT count(*) AS trials FROM attempt WHERE number = 3" --format csv
trials
1

# The same holds if its result is missing.
$ for trial in $(rethink query "SELECT id FROM trial WHERE json_extract(configuration, '$.tag') != ''" --format csv | tail -n +2); do rm -f store/trials/$trial/result.json; done
$ rethink run s.yaml --set stages.next.steps=4 --slots 4 --quiet

# In a select among selects, one trial is chosen in the end.
$ rethink --store nested run nested.yaml --quiet
$ rm nested/trials/*/artifacts/weights.safetensors
$ rethink --store nested run nested.yaml --set stages.next.steps=4 --quiet
$ rethink --store nested query "SELECT count(*) AS trials FROM attempt WHERE number = 2" --format csv
trials
1
