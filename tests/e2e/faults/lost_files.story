# Removed or changed files are noticed, and earlier results stay visible until the trial has run again.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2}
===
=== more.yaml
sweep: more
seeds: [0]
stages:
  train: {job: noop, steps: 2}
  next: {job: noop, needs: {init: train}, steps: 1}
===
$ rethink run s.yaml --quiet
$ rethink db check
the database is sound and its states are those of the folders (--hashes compares every row, event and artifact)
$ rethink db check --format json --hashes
{
  "builds": [],
  "files_without_checksum": 0,
  "notes": [],
  "problems": [],
  "sound": true
}

$ cp store/trials/*/attempt-1/events.jsonl copy && echo garbage | tee -a store/trials/*/attempt-1/events.jsonl
garbage
$ rethink db check
trial <id>: <any>/events.jsonl has 8 bytes after the last event, which ends at byte <n>; nobody reads them: they may be cut off
[exit 1]
$ rethink db check --format json | head -6
{
  "builds": [],
  "files_without_checksum": 0,
  "notes": [],
  "problems": [
    "trial <id>: <any>/events.jsonl has 8 bytes after the last event, which ends at byte <n>; nobody reads them: they may be cut off"
$ cp copy store/trials/*/attempt-1/events.jsonl

# A trial's identity cannot be changed by hand.
$ sed -i 's/"seed": 0/"seed": 5/' store/trials/*/trial.json
$ rethink db check
trial <id>: <any>/trial.json is damaged (its checksum does not fit what it says); the next run of its sweep writes it anew; a rebuild before that loses its numbers
[exit 1]
$ rethink db rebuild
trial <id>: <any>/trial.json is damaged (its checksum does not fit what it says); the next run makes it again
1 trial lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
1 trial, 1 sweep
[exit 1]
$ rethink db check
trial <id>: <any>/trial.json is damaged (its checksum does not fit what it says); the next run of its sweep writes it anew
[exit 1]
$ rethink run s.yaml --quiet
$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The weights of `train` were not kept: it runs again, which is not called a loss.
$ rethink run more.yaml
started   <id>  train seed 0
done      <id>  train seed 0  <t>  dev/score@last <n>
started   <id>  next seed 0
done      <id>  next seed 0  <t>  dev/score@last <n>
2 of 2 trials done
next: rethink table <any> or rethink figure <any>

$ rethink query "SELECT number, outcome FROM attempt JOIN trial ON id = trial WHERE json_extract(configuration, '$.steps') = 2" --format csv
number,outcome
1,done
2,done

# Check and plan report a missing result, and run makes it again.
$ rm store/trials/*/result.json
$ rethink db check
trial <id>: is done in the database and has no result.json; the next run of its sweep makes it again; a rebuild before that loses its numbers
trial <id>: is done in the database and has no result.json; the next run of its sweep makes it again; a rebuild before that loses its numbers
[exit 1]

$ rethink plan s.yaml
stage                      trials distinct     done  running    ended   to run
s train                         1        1        0        0        0        1<any>

to run
  <id>  train seed=0: done in the database, but its folder has no result.json

$ rethink run s.yaml
started   <id>  train seed 0
done      <id>  train seed 0  <t>  dev/score@last <n>
1 of 1 trials done
next: rethink table <any> or rethink figure <any>

$ rethink query "SELECT number, outcome, a.message FROM attempt a JOIN trial ON id = trial WHERE json_extract(configuration, '$.steps') = 2" --format csv
number,outcome,message
1,done,
2,lost,its result.json was removed
3,done,

# Half a result counts as no result, for plan and run.
$ for file in store/trials/*/result.json; do truncate -s -9 $file; done
$ rethink plan s.yaml
stage                      trials distinct     done  running    ended   to run
s train                         1        1        0        0        0        1<any>

to run
  <id>  train seed=0: done in the database, but its result.json is damaged
$ rethink run s.yaml
lost      <id>  train seed 0: its result.json is damaged (<any>); the trial runs again; it is tried again
started   <id>  train seed 0
done      <id>  train seed 0  <t>  dev/score@last <n>
1 of 1 trials done
next: rethink table <any> or rethink figure <any>

# Only a run can mend a missing folder: a rebuild would lose the rows.
$ rm -r store/trials/*
$ rethink db check
trial <id>: its folder is missing; the next run of its sweep makes it again
trial <id>: its folder is missing; the next run of its sweep makes it again
[exit 1]
$ rethink run more.yaml --quiet
<any> warning the folders of 2 trials that the database calls done are missing (train seed 0, next seed 0): they run again. If their disk is not mounted, stop this run, mount it and run `rethink db rebuild`. The database with their numbers was copied to <any>, which --store reads and `rethink gc` removes
$ rethink query "SELECT state, count(*) AS n FROM trial GROUP BY state" --store $(ls -t store/rethink.db.damaged-* | head -n 1) --format csv
state,n
done,2

$ rethink db check
the database is sound and its states are those of the folders<any>

# A folder without trial.json does not count as missing, and a renamed folder is put back as the message advises.
$ for file in store/trials/*/trial.json; do rm $file; break; done; rethink db check; rethink run more.yaml --quiet; rethink db check
trial <id>: its trial.json is missing; the next run of its sweep writes it anew
the database is sound and its states are those of the folders<any>
$ for trial in store/trials/*; do mv $trial store/trials/00000000000000000000; break; done; rethink db check | tee told | grep -v 'its folder is missing'; sed -n 's/.*`\(mv .*\)`.*/\1/p' told | sh; rethink db check
trial 00000000000000000000: its trial.json is that of trial <id>, so that the folder was renamed; `mv <any>store/trials/00000000000000000000 <any>store/trials/<id>` puts it back
the database is sound and its states are those of the folders<any>
$ for trial in store/trials/*; do cp -r $trial store/trials/00000000000000000000; break; done; rethink db check | tee told; sed -n 's/.*`\(rethink rm .*\)`.*/\1/p' told | sh; rethink db check
trial 00000000000000000000: its trial.json is that of trial <id>, which has a folder of its own; `rethink rm 00000000000000000000` removes this one
removed 1 trial, <n> files, <n> MB
the database is sound and its states are those of the folders<any>
