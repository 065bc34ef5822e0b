# A plug-in's code changed without a new revision: its done trials are named with the commit of their programs, and
# count again after the user's confirmation.
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32, attention: {kind: dense}}
    batch: 16
    steps: 2
    evaluate: {splits: [dev]}
    grid: {optimizer.lr: [0.001, 0.002]}
resources: {device: cpu, threads: 1}
===
=== tables/t.yaml
table: t
sweep: tiny.yaml
stage: lm
metric: dev/score@last
rows: {axis: optimizer.lr}
direction: min
seeds: 1
===
=== claims/c.yaml
claims: c
list:
  - {claim: fast, says: fast is better, source: here, table: t, column: dev/score@last, test: better, row: 0.002, than: 0.001}
===
=== change.py
import json, os, shutil
there = os.path.dirname(os.path.realpath(shutil.which('rethink')))
os.makedirs('changed')
os.symlink(there + '/rethink-worker', 'changed/rethink-worker')
schema = json.load(open(there + '/schema.json'))
schema['plugins']['attention']['dense']['code'] = '0123456789'
json.dump(schema, open('changed/schema.json', 'w'))
===
$ rethink run tiny.yaml --quiet
$ rethink query "SELECT DISTINCT name, length(value) AS digits FROM environment WHERE name GLOB 'code.*' ORDER BY name" --format csv | grep -E 'name|dense|job'
name,digits
code.attention/dense,20
code.job/lm,20
# The commit is known if the programs were built in a checkout.
$ test "$(rethink version | sed -n 's/^commit //p')" = "$(rethink query "SELECT DISTINCT value FROM environment WHERE name = 'commit'" --format csv | tail -n +2)"

$ rethink accept attention/dense
attention/dense: there is nothing to accept; no done trial was made by a plug-in whose code has changed
[exit 2]
$ python3 change.py && RETHINK_PROGRAMS=changed rethink plan tiny.yaml 2>&1 | grep note:
attention/dense: note: 2 done trials were made by other code<any>: models/attention/dense.cpp has changed. If the change alters numbers, raise the plug-in's revision, so that new trials replace these. If not, type `rethink accept attention/dense`
# The message names the commit if the programs were built in a checkout.
$ commit=$(rethink version | sed -n 's/^commit //p'); RETHINK_PROGRAMS=changed rethink plan tiny.yaml 2>&1 | grep -c "by other code${commit:+ (commit $commit)}: models/attention/dense.cpp has changed"
1

$ RETHINK_PROGRAMS=changed rethink run tiny.yaml 2>&1 | grep -c 'attention/dense: note:'
1

# Commands that show the trials' numbers say so, too, of all trials that `accept` would accept.
$ for shows in 'table t' 'figure tiny.yaml' 'claims c' 'report tiny.yaml'; do RETHINK_PROGRAMS=changed rethink $shows 2>&1 >/dev/null | grep -c 'attention/dense: note: 2 done trials of the store were made by other code'; done
1
1
1
1

$ RETHINK_PROGRAMS=changed rethink accept attention/dens
attention/dens: there is nothing to accept; changed since done trials: attention/dense
[exit 2]
$ RETHINK_PROGRAMS=changed rethink accept attention/dense
attention/dense: accepted for 2 done trials
$ RETHINK_PROGRAMS=changed rethink table t 2>&1 | grep -c 'made by other code'; true
0
$ RETHINK_PROGRAMS=changed rethink plan tiny.yaml --format json | grep -A1 changed_code
 <any>"changed_code": [],
<any>

# A row whose seeds ran with several codes of a plug-in names the plug-in, beside the build. The hash's letters are
# shifted by one in the program itself.
$ mkdir moved && cp $(dirname $(command -v rethink))/rethink-worker $(dirname $(command -v rethink))/schema.json moved && code=$(python3 -c 'import json; print(json.load(open("moved/schema.json"))["plugins"]["attention"]["dense"]["code"])') && sed -i "s/$code/$(echo $code | tr 0-9a-f 1-9a-f0)/" moved/rethink-worker
$ rethink run tiny.yaml --quiet --store two; RETHINK_PROGRAMS=moved rethink run tiny.yaml --quiet --store two --seeds 1 2>/dev/null; rethink table t --seeds 0..1 --store two 2>/dev/null | grep '^.a'
[a] several builds or machines: its trials differ in code of attention/dense; their rounding may, too

# An accepted change leaves no mark.
$ rethink accept attention/dense --store two; rethink table t --seeds 0..1 --store two 2>/dev/null | grep -c 'code of'; true
attention/dense: accepted for 2 done trials
0
