# rm is not allowed to remove files: it says so instead of "removed", and ends with exit code 3. The refusals come from
# a preloaded library (tests/support/fault_shim).
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
<any>deleted from the record, but still on the disk: <any>/.removed-<any>: cannot remove: Permission denied: <any>
0
[exit 1]

$ rethink status
no sweep was run in store yet; begin with: rethink run SWEEP

$ rethink run s.yaml --quiet; ./faulty 'unlink:EACCES:events.jsonl:*' rethink rm --yes s
deleted from the record: sweep s, 1 trial, <n> files, <n> MB; files of these still on the disk: <n>
deleted from the record, but still on the disk: <any>/.removed-<any>: cannot remove: Permission denied: <any>
[exit 3]

# As soon as it may be removed, nothing of it remains.
$ rethink gc
removed <n> MB in 1 place

$ ls -A store/trials

# The files are removed before the database is written, so that a full disk has room for it. The empty folders remind
# the next command of the rows.
=== six.yaml
sweep: six
seeds: [0, 1, 2, 3, 4, 5]
stages: {train: {job: noop, steps: 2}}
===
$ rethink run six.yaml --quiet; ./faulty 'write:ENOSPC:rethink.db:*' rethink rm --yes six
store/rethink.db: <any>; 6 trials are deleted from the record, but the database may still list them: the next rm, gc or run finishes the removal
[exit 3]
$ find store/trials -type f | wc -l; ls -A store/trials | grep -c removed
0
6
$ rethink gc; ls -A store/trials; rethink db check | grep -c sound
removed <n> MB in 6 places
1

$ rethink run six.yaml --quiet; ./faulty 'write:EIO:rethink.db:3+*' rethink rm --yes six
store/rethink.db: <any>; 6 trials are deleted from the record, but the database may still list them: the next rm, gc or run finishes the removal
[exit 3]
$ rethink gc
removed <n> MB in 6 places

$ rethink run six.yaml --quiet; ./faulty 'open:EIO:rethink.db:*' rethink rm --yes six
store/rethink.db: <any>; 6 trials are deleted from the record, but the database may still list them: the next rm, gc or run finishes the removal
[exit 3]

# gc goes on after this fault, and makes room before it reads the database.
$ rethink gc; rethink run six.yaml --quiet; ./faulty 'fsync:EIO:trials:*' rethink rm --yes six
removed <n> MB in 6 places
store/trials: cannot sync: Input/output error; 6 trials are deleted from the record, but the database may still list them: the next rm, gc or run finishes the removal
[exit 3]
$ find store/trials -type f | grep -c result.json; ./faulty 'open:ENOSPC:rethink.db:*' rethink gc
6
removed <n> MB in 6 places
store/rethink.db: <any>; 6 trials are deleted from the record, but the database may still list them: the next rm, gc or run finishes the removal
[exit 3]
$ find store/trials -type f | wc -l; rethink gc; ls -A store/trials
0
removed 0.0 MB in 6 places

# A part is renamed: the sweep stays on record until the same command has removed all of it.
$ rethink run six.yaml --quiet; ./faulty 'rename:EIO:.removed:4+*' rethink rm --yes six
store/trials/<id>: cannot rename: Input/output error; deleted from the record: 4 of 6 trials and 0 of 1 sweep file; the next rm, gc or run deletes their files and rows, and the same command removes the rest
[exit 3]
$ rethink rm --yes six; ls -A store/trials store/sweeps
removed sweep six, 6 trials, <n> files, <n> MB
store/sweeps:

store/trials:

$ rethink run six.yaml --quiet; ./faulty 'rename:EIO:.removed:*' rethink rm --yes six
store/trials/<id>: cannot rename: Input/output error; nothing was removed
[exit 3]

# A folder behind a link with such a name belongs to somebody else.
$ mkdir outside; touch outside/kept; ln -s ../../outside store/trials/.removed-0123456789abcdef0123; rethink gc; ls outside; ls -A store/trials | grep -c removed
removed 0.0 MB in 1 place
kept
0
[exit 1]
