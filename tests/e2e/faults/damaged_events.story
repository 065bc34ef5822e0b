# The database still has the numbers of a done trial whose events are damaged. `db check` names what a rebuild loses and
# which command heals it, a rebuild names its losses and keeps the old database, and no reader prints the number before
# the trial has run again.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 3, grid: {tag: [a, b]}}
===
$ rethink run s.yaml --quiet && cp -r store/. sound
$ rethink query "SELECT trial FROM label WHERE value = 'a' LIMIT 1" --format csv | tail -n 1 > train
$ rethink query --by tag --show 'mean(dev/score), n' --format csv > before

$ sed -i 's/"score"/"scora"/' store/trials/$(cat train)/attempt-1/events.jsonl; rethink db check --hashes
trial <id>: <any>/events.jsonl was damaged after byte <n> since it was read; a rebuild loses its numbers; to restore it: rethink rm <id>, then run its sweep
[exit 1]
$ rethink rm $(cat train) --yes && rethink run s.yaml --quiet && rethink db check --hashes
removed 1 trial, <any>
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rethink query --by tag --show 'mean(dev/score), n' --format csv | cmp - before

$ for damage in 'sed -i s/score/scora/ attempt-1/events.jsonl' 'truncate -s -30 attempt-1/events.jsonl' 'truncate -s -30 result.json' 'rm result.json'; do rm -r store/*; cp -r sound/. store; (cd store/trials/$(cat train) && $damage); rethink db check --hashes | grep -c 'a rebuild .*loses its numbers'; rethink db rebuild >said 2>&1; echo "exit $?"; grep -c 'damaged\|lacks the result' said; grep -o 'lost numbers: .*; the old database, .*' said; rethink query --by tag --show 'n(dev/score)' --format csv --quiet; rethink run s.yaml --quiet; rethink db check --hashes; rethink query --by tag --show 'mean(dev/score), n' --format csv | cmp - before; done
1
exit 1
2
lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
tag,n(dev/score)
a,1
b,2
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
exit 1
2
lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
tag,n(dev/score)
a,1
b,2
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
exit 1
2
lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
tag,n(dev/score)
a,1
b,2
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
exit 1
2
lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
tag,n(dev/score)
a,1
b,2
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# An rm makes the rows again, too. Removed trials are not losses, but damaged ones beside them are.
$ rm -r store/*; cp -r sound/. store; rethink rm $(ls store/trials | grep -v $(cat train) | head -n 1) --yes; ls store | grep damaged; rethink run s.yaml --quiet; rm store/trials/$(cat train)/result.json; rethink rm $(ls store/trials | grep -v $(cat train) | head -n 1) --yes
removed 1 trial, <any>
<any> 1 trial lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
removed 1 trial, <any>

# The events behind a later attempt's checkpoint count like its own: without them the trial runs again.
=== long.yaml
sweep: long
seeds: [0]
stages:
  train: {job: noop, steps: 20, checkpoint_every: 1}
===
=== attempt.sh
# One attempt without a driver, killed when it has removed all but two of its first five checkpoints.
trial=$(echo "$PWD"/store/trials/*)
runtime='{"threads": 1, "device": "cpu", "data": "", "cache": "", "keep_weights": false, "deterministic": true}'
RETHINK_KILL_AT=after_checkpoint_drop:5 "$RETHINK_PROGRAMS/rethink-worker" attempt \
  "{\"trial\": \"$trial\", \"store\": \"$PWD/store\", \"cores\": [], \"runtime\": $runtime}"
===
$ rm -r store; rethink run long.yaml --max-trials 0 --quiet; sh attempt.sh; rethink run long.yaml --quiet; rm -r sound; cp -r store sound; rethink query 'SELECT * FROM metric' --format csv >before
...
$ for damage in 'rm -r attempt-1' 'rm attempt-1/events.jsonl' 'truncate -s 0 attempt-1/events.jsonl' 'sed -i 4q attempt-1/events.jsonl'; do rm -r store; cp -r sound store; (cd store/trials/* && $damage); rethink db rebuild 2>&1 | grep -o 'lost numbers: [^;]*'; rethink run long.yaml --quiet; rethink db check --hashes; rethink query 'SELECT * FROM metric' --format csv | cmp - before; done
lost numbers: <id>
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
lost numbers: <id>
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
lost numbers: <id>
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
lost numbers: <id>
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
$ rm -r store; cp -r sound store; rm -r store/trials/*/attempt-1; rethink retry $(ls store/trials); rethink run long.yaml --quiet; rethink db check --hashes; rethink query 'SELECT * FROM metric' --format csv | cmp - before
1 trial may run again
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# A result of version 0.1.0, which has no checksum, may name an attempt that never existed.
$ rm -r store; rethink run s.yaml --quiet --max-trials 1; sed -i 's/"attempt":1/"attempt":2/; s/"checksum":"[0-9a-f]*",//' store/trials/*/result.json; rethink db check --hashes 2>/dev/null | grep -o 'result.json is damaged ([^)]*)'; rethink retry $(rethink query "SELECT trial FROM attempt" --format csv | tail -n 1); rethink run s.yaml --quiet; rethink db check --hashes
1 of 4 trials run, 3 left (--max-trials 1); the same command continues
result.json is damaged (attempt: there is no such attempt)
1 trial may run again
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
