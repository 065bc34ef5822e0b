# Files that rm is not allowed to remove: it says so instead of "removed", and ends with exit code 3. The refusals come
# from a preloaded library (tests/support/fault_shim).
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
# not under ODD_PLACE, ONE_CORE, BARE: the faults are the same there
=== s.yaml
sweep: s
seeds: [0]
stages: {train: {job: noop, steps: 2}}
===
=== faulty
#!/bin/sh
# faulty RULES COMMAND...
rules=$1
shift
LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT=$rules RETHINK_FAULT_PROGRAM=rethink "$@"
===
$ chmod +x faulty; rethink run s.yaml --quiet

$ ./faulty 'unlink:EACCES:events.jsonl:*' rethink rm --yes s | grep -c removed
<any>off the record, but still on the disk: <any>/.removed-<any>: cannot remove: Permission denied: <any>
0
[exit 1]

$ rethink status
no sweep was run in store yet; begin with: rethink run SWEEP

$ rethink run s.yaml --quiet; ./faulty 'unlink:EACCES:events.jsonl:*' rethink rm --yes s
took off the record: sweep s, 1 trial, <n> files, <n> MB; files of these still on the disk: <n>
off the record, but still on the disk: <any>/.removed-<any>: cannot remove: Permission denied: <any>
[exit 3]

# Nothing of it is left once it may be removed.
$ rethink gc
removed <n> MB in 1 place

$ ls -A store/trials
