# A plug-in whose code changed without another revision: its done trials are named, and count again once somebody says so.
=== tiny.yaml
sweep: tiny
seeds: [0, 1]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32, attention: {kind: dense}}
    batch: 16
    steps: 2
    evaluate: {splits: [dev]}
resources: {device: cpu, threads: 1}
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
$ rethink accept attention/dense
attention/dense: there is nothing to accept; no done trial was made by code that has changed
[exit 2]
$ python3 change.py && RETHINK_PROGRAMS=changed rethink plan tiny.yaml 2>&1 | grep note:
attention/dense: note: 2 done trials were made by other code: models/attention/dense.cpp has changed. If the change alters numbers, raise the plug-in's revision, and new trials replace these. If it alters none, type `rethink accept attention/dense`
$ RETHINK_PROGRAMS=changed rethink run tiny.yaml 2>&1 | grep -c 'attention/dense: note:'
1
$ RETHINK_PROGRAMS=changed rethink accept attention/dens
attention/dens: there is nothing to accept; changed since done trials: attention/dense
[exit 2]
$ RETHINK_PROGRAMS=changed rethink accept attention/dense
attention/dense: accepted for 2 done trials
$ RETHINK_PROGRAMS=changed rethink plan tiny.yaml --format json | grep -A1 changed_code
 <any>"changed_code": [],
<any>
