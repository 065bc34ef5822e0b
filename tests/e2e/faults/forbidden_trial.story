# If this user may not write a trial's folder, the trial is named, and the others run. The refusals come from a
# preloaded library (tests/support/fault_shim).
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
# not under ODD_PLACE, ONE_CORE, BARE: the faults are the same there
=== s.yaml
sweep: s
seeds: [0, 1]
stages: {train: {job: noop, steps: 2}}
===
=== other.yaml
sweep: other
seeds: [0]
stages: {train: {job: noop, steps: 3}}
===
=== faulty
#!/bin/sh
# faulty RULES COMMAND...
rules=$1
shift
LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT=$rules RETHINK_FAULT_PROGRAM=rethink "$@"
===
$ chmod +x faulty; rethink run s.yaml --quiet; rm store/trials/*/result.json; ls store/trials | head -n 1 > trial
$ ./faulty "access:EACCES:$(cat trial):*" rethink run s.yaml other.yaml --quiet
failed: <id>  train seed <n>: <any>: may not be written: Permission denied; <any> belongs to <any>, and you are <any>
...
[exit 1]
$ ls store/trials/*/result.json | wc -l; ls store/trials/$(cat trial)/result.json 2> /dev/null
2
[exit 2]

# The same holds if only its lock, or only the files of an attempt, cannot be written.
$ for part in lock artifacts checkpoints attempt-1; do mkdir -p store/trials/$(cat trial)/$part 2> /dev/null; rm -f store/trials/$(cat trial)/attempt-1/end.json; ./faulty "access:EACCES:$(cat trial)/$part:*" rethink run s.yaml --quiet 2>&1 | grep -c "$(cat trial)/$part: may not be written"; done
1
1
1
1

# A trial that is done needs no writing.
$ rethink run s.yaml --quiet; ./faulty "access:EACCES:$(cat trial):*" rethink run s.yaml --quiet
