# Commands that show programs, plug-ins, trials and curves.
=== rates.yaml
sweep: rates
seeds: [0]
stages:
  train:
    job: noop
    steps: 3
    cases:
      rate:
        1: {tag: a}
        2: {tag: b}
  fail: {job: noop, fail_at: 1}
===
$ rethink version
rethink <n>
worker <id><any>

$ rethink doctor
ok programs   <any>
ok processor  <any>
...
ok disk       <any> free at store
ok locks      <any>
ok database   <any>
ok fsync      <any>
...

$ rethink doctor --format json | grep '"what": "[pdl]'
    "what": "programs"
    "what": "processor"
    "what": "disk"
    "what": "locks"
    "what": "database"
    "what": "data"

# The check reports a given data folder that does not exist.
$ rethink doctor --data none/such | grep '^!!'
!! data       none/such is not a folder; name the folder of the data sets (--data or RETHINK_DATA)

$ rethink data verify enwik8
enwik8               enwik8/enwik8: missing; run `rethink data get enwik8`
no folder of data sets is named (--data DIR or RETHINK_DATA)
[exit 1]

# These data sets need a user's file, and these need none.
$ rethink data list 2>&1 | grep -E '^(conll|parallel|synthetic_t[a-z]*|text) ' | cut -c 1-40 | sed 's/ *$//'
conll                file of your own
parallel             file of your own
synthetic_tags       needs no file
synthetic_translations needs no file
text                 file of your own

# An invalid address is reported before anything is downloaded.
$ rethink data get enwik8 --data d --from enwik8.zip
--from: got 'enwik8.zip', expected the address of the archive, such as https://HOST/FILE.zip; unpack a local file into the folder of data sets instead (`rethink data path`)
[exit 2]

$ rethink describe
...
job
  analyze                  <any>
  command                  <any>
  noop                     <any>
  select                   <any>
...

# None of its lines is JSON.
$ rethink describe noop | grep -c '[{}"]'
0
[exit 1]

$ rethink describe noop
job noop: <any>

options
...
  steps <any> steps to take
  <any> integer, at least 1; default 1
...

facts
  device: cpu
  inputs:
    init: weights
...
  outputs: weights
  seeded: true

$ rethink describe nop
nothing is called 'nop'; did you mean 'noop'?<any>
[exit 2]

# These keys of sweep files belong to no job.
$ rethink describe resources
resources: where and how a trial runs (docs/sweeps.md)
  alone              run no other trial of the run at the same time, as timings need; default false
  attention          attention on a GPU: library (the default: LibTorch's, if it can) or kernels (this program's, whose dropout equals the CPU's)
  checkpoint_every   time between checkpoints, such as 5min; default: the job's own
...
  threads            threads per trial; default 1

$ rethink describe zip
zip: axes that run in step: {KEY: [VALUES], KEY: [VALUES]} (docs/sweeps.md)

$ rethink describe only
only: of a stage in a profile: keeps these points of an axis: {AXIS: [LABEL]} (docs/sweeps.md)

=== presets/noop/short.yaml
# Two steps,
# and no more.
steps: 2
===
$ rethink describe preset | grep short
  noop/short                       Two steps, ...

$ rethink describe preset/short | grep -v '^#'
preset noop/short: in a stage with `job: noop` write `preset: short`; <any>presets/noop/short.yaml

steps: 2

$ rethink describe shrot
nothing is called 'shrot'; did you mean 'noop/short'?; `rethink describe` lists <any>
[exit 2]

# Editors read this schema, which has every option of every job.
$ rethink schema --out rates.json && grep -c '"sleep_ms"\|"\$schema"' rates.json
2

$ rethink schema sites | grep -A1 '"trials_per_pilot"\|"required"'
      "trials_per_pilot": {
        "description": "a pilot ends after so many trials; default: when no trial is left",
--
    "required": [
      "engine"

$ rethink schema trials
rethink schema: got 'trials', expected sweeps or sites
[exit 2]

$ rethink run rates.yaml --quiet
...
[exit 1]

$ rethink query "SELECT t.id FROM trial t ORDER BY t.message, json_extract(t.configuration, '$.tag')" --format csv | sed 1d >ids && wc -l <ids
3

$ rethink diff $(sed -n 1,2p ids)
--- <id>
+++ <id>
tag: a -> b

$ rethink diff $(sed -n 1p ids) $(sed -n 1p ids)
--- <id>
+++ <id>
no difference

$ rethink diff $(sed -n 1p ids)
<any>
[exit 2]

$ rethink show $(sed -n 2p ids)
trial   <id>
job     noop
state   done
seed    0
...
Final metrics
metric         value  step
──────────  ────────  ────
dev/score   <n>     3
train/loss  <n>     3

...
Configuration
...
tag               b

# Without a name all of its curves are shown.
$ rethink curve $(sed -n 2p ids) --format csv | cut -d, -f1,2
curve,step
train/loss,1
train/loss,2
train/loss,3

$ rethink curve $(sed -n 2p ids) | tail -1
1 train/loss  <n> at step 3

$ rethink curve $(sed -n 2p ids) train/loss --format csv | cut -d, -f1,2
curve,step
train/loss,1
train/loss,2
train/loss,3

$ rethink curve train/loss $(sed -n 2p ids) | tail -1
1 train/loss  <n> at step 3

$ rethink curve $(sed -n 2p ids) dev/nothing
<any>dev/nothing<any>
[exit 2]

$ rethink curve $(sed -n 2p ids) --by tag
curve: a trial's curves take no --where and no --by
[exit 2]

$ rethink show $(sed -n 3p ids) --format json | grep '"state"\|"message": "fail\|"outcome"'
      "message": "fail_at: step 1 fails",
      "outcome": "failed",
  "message": "fail_at: step 1 fails",
  "state": "failed",

$ rethink show 0000000
no trial's id begins with '0000000'; `rethink status --all` lists them
[exit 2]

$ rethink logs $(sed -n 3p ids)
== attempt 1
== start at step 0 <any>
error: fail_at: step 1 fails
== failed <any>
...

$ rethink logs $(sed -n 3p ids) --attempt 2
trial <id> has no attempt 2; it has 1 (`rethink show <id>` lists them)
[exit 2]

$ rethink curve train/loss --by rate --where 'stage=train' --format csv
curve,step,value,trials
1,1,<n>,1
1,2,<n>,1
1,3,<n>,1
2,1,<n>,1
2,2,<n>,1
2,3,<n>,1

$ rethink curve train/loss --where 'stage=train' | grep -c .
note: trials that differ in tag (2 values) are averaged together; separate them with --by, or choose with --where
<n>

# One of two words is a trial's id.
$ rethink curve train/loss 5f45c
curve: got 2 words, expected one metric, such as dev/perplexity, one trial of this store, or a trial and a metric
[exit 2]

$ rethink curve first.yaml
curve: got 'first.yaml', expected one metric, such as dev/perplexity, one trial of this store, or a trial and a metric; `rethink figure SWEEP` draws the curves of a sweep
[exit 2]

$ rethink curve dev/nothing
<any>dev/nothing<any>
[exit 2]

$ rethink completion words -- stat
status

$ rethink completion words -- retry --on
--only

$ rethink completion words -- run demo/
demo/<any>
...

# These are bash's completions of "rethink sta".
$ rethink completion bash >complete.bash && bash -c '. ./complete.bash; COMP_WORDS=(rethink sta); COMP_CWORD=1; _rethink; echo "${COMPREPLY[@]}"'
status

$ rethink completion zsh | head -1 | cut -c 2-
compdef rethink

$ rethink completion fish
<any>
[exit 2]
