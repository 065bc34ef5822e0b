# Pipes take the place of a store's files: each command names them and what helps, and ends with a failure.
=== s.yaml
sweep: s
seeds: [0, 1]
stages: {train: {job: noop, steps: 2}}
===
$ rethink run s.yaml --quiet; ls -d store/trials/* | head -n 1 > trial

# These are a trial's files.
$ for file in result.json lock; do cd $(cat trial) && mv $file $file.kept && mkfifo $file && cd ../../..; rethink db rebuild; echo "exit $?"; rethink run s.yaml --quiet 2>/dev/null; echo "exit $?"; mv -f $(cat trial)/$file.kept $(cat trial)/$file; done
trial <id>: <any>/result.json: is a named pipe, expected a file; move it away; no run continues the trial until then
1 trial lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
2 trials, 1 sweep
exit 1
exit 1
trial <id>: <any>/lock: is a named pipe, expected a file; move it away; no run continues the trial until then
2 trials, 1 sweep
exit 1
exit 1
$ rm -f $(cat trial)/result.json; mkfifo $(cat trial)/result.json; rethink db rebuild 2>/dev/null; rm $(cat trial)/result.json; rethink retry $(basename $(cat trial)); rethink run s.yaml --quiet; rethink db rebuild
2 trials, 1 sweep
...
2 trials, 1 sweep

# These are an attempt's files: the events count as damaged, and the trial runs again.
$ A=$(ls -d $(cat trial)/attempt-* | tail -n 1); rm $A/events.jsonl; mkfifo $A/events.jsonl; rethink db check; echo "exit $?"; rethink db rebuild; rethink run s.yaml
trial <id>: <any>/events.jsonl is shorter than what was read of it (<n> bytes); a rebuild loses its numbers; to restore it: rethink rm <id>, then run its sweep
trial <id>: <any>/events.jsonl: is a named pipe, expected a file; move it away
exit 1
trial <id>: <any>: its events are damaged; the next run makes it again
trial <id>: <any>/events.jsonl: is a named pipe, expected a file; move it away
1 trial lost numbers: <id>; the old database, which has these numbers, is now <any>, which `rethink gc` removes
2 trials, 1 sweep
lost      <id>  train seed <n>: its events are damaged; the trial runs again; it is tried again
started   <any>
done      <any>
2 of 2 trials done
next: rethink table <any> or rethink figure <any>

# These are the store's own files, and SQLite cannot read the database.
$ mv store/lock kept; mkfifo store/lock; rethink run s.yaml
<any>store/lock: is a named pipe, expected a file; move it away
[exit 3]
$ rethink status
s: 2 of 2 done
no driver is running
$ rm store/lock; mv store/uuid kept; mkfifo store/uuid; rethink db rebuild
<any>store/uuid: is a named pipe, expected a file; move it away
[exit 3]
$ rm store/uuid; mv kept store/uuid; mv store/sweeps kept; mkfifo store/sweeps; rethink gc; echo "exit $?"; rethink status
<any>store/sweeps: is a named pipe, expected a folder; move it away
exit 3
<any>store/sweeps: is a named pipe, expected a folder; move it away
[exit 3]
$ rm store/sweeps; mv kept store/sweeps; rm -rf store/requests; mkfifo store/requests; rethink run s.yaml --quiet; rethink cancel s
<any> warning <any>store/requests: is a named pipe, expected a folder; move it away
<any>store/requests: is a named pipe, expected a folder; move it away
[exit 3]

# One file of many is named and left out.
$ rm store/requests; mkdir store/requests; mkfifo store/requests/x.json; rethink run s.yaml --quiet
<any> warning <any>store/requests/x.json: is a named pipe, expected a file; move it away; no request is read there

$ mkfifo store/sweeps/0123456789abcdef0123.json; rethink status
<any> warning <any>store/sweeps/0123456789abcdef0123.json is a named pipe, expected a file, and was left out; running its sweep again with the same options writes it anew (a sweep that is no longer wanted: remove the file)
s: 2 of 2 done
no driver is running
$ rethink db check
trial <id>: <any>/events.jsonl: is a named pipe, expected a file; move it away
<any>store/sweeps/0123456789abcdef0123.json is a named pipe, expected a file, and was left out; running its sweep again with the same options writes it anew
[exit 1]
$ rethink gc 2>&1 | head -n 1
<any>store/sweeps/0123456789abcdef0123.json is a named pipe, expected a file, and may have trials that no other sweep has: their checkpoints and artifacts stay; run its sweep again with the same options, or remove the file
