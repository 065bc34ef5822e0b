# A disk that fails or is read-only, and a system without further processes, threads or files: no trial fails because of
# it, the reason is named, and the same command goes on. The faults come from a preloaded library
# (tests/support/fault_shim).
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
# not under ODD_PLACE, ONE_CORE, BARE: the faults are the same there
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3, 4, 5, 6, 7]
stages: {train: {job: noop, steps: 4, checkpoint_every: 2, retry: {failed: 0, killed: 0, lost: 0}}}
===
=== faulty
#!/bin/sh
# faulty RULES COMMAND...
rules=$1
shift
rm -rf store hits
LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT=$rules RETHINK_FAULT_FILE=$PWD/hits "$@" 2>&1 | grep -v '^started\|^done'
===
$ chmod +x faulty

# Three forks are refused, and the fourth succeeds.
$ ./faulty 'fork:EAGAIN:rethink-worker:3' rethink run s.yaml --slots 1
lost      <id>  train seed 0: cannot fork: Resource temporarily unavailable (a limit on processes and threads: ulimit -u, pids.max); it is tried again
fewer     one trial at once from now on: cannot fork: Resource temporarily unavailable (a limit on processes and threads: ulimit -u, pids.max)
lost      <id>  train seed 0: cannot fork: Resource temporarily unavailable (a limit on processes and threads: ulimit -u, pids.max); it is tried again
lost      <id>  train seed 0: cannot fork: Resource temporarily unavailable (a limit on processes and threads: ulimit -u, pids.max); it is tried again
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

# A worker cannot make a thread.
$ ./faulty 'thread:EAGAIN:rethink-worker:2' rethink run s.yaml --slots 1
lost      <id>  train seed 0: cannot start a thread<any>; it is tried again
fewer     one trial at once from now on: cannot start a thread<any>
lost      <id>  train seed 0: cannot start a thread<any>; it is tried again
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

# A zygote gets no file when it begins, or a driver cannot start a zygote: the attempt is refused, and the next attempt
# starts another zygote.
$ RETHINK_FAULT_PROGRAM=rethink-worker ./faulty 'open:EMFILE:/proc/self/exe:2' rethink run s.yaml --slots 1
lost      <id>  train seed 0: <any>: Too many open files (a limit on open files: ulimit -n); it is tried again
fewer     one trial at once from now on: <any>: Too many open files (a limit on open files: ulimit -n)
lost      <id>  train seed 0: <any>: Too many open files (a limit on open files: ulimit -n); it is tried again
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

# The zygote cannot inspect the child that it has forked.
$ rm -rf store; LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT_PROGRAM=rethink-worker RETHINK_FAULT='open:EMFILE:/stat:1+1' rethink run s.yaml --slots 1 2>&1 | grep -v '^started\|^done'
lost      <id>  train seed 0: /proc/<n>/stat: cannot read: Too many open files (a limit on open files: ulimit -n); it is tried again
fewer     one trial at once from now on: <any>
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

$ ./faulty 'spawn:EAGAIN:rethink-worker:2' rethink run s.yaml --slots 1
lost      <id>  train seed 0: cannot start '<any>rethink-worker': Resource temporarily unavailable (a limit on processes and threads: ulimit -u, pids.max); it is tried again
fewer     one trial at once from now on: cannot start '<any>rethink-worker': <any>
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

# The system may report this as memory, for a thread and for a file.
$ ./faulty 'thread:ENOMEM:rethink-worker:1' rethink run s.yaml --slots 1
lost      <id>  train seed 0: cannot start a thread<any>; it is tried again
fewer     one trial at once from now on: cannot start a thread<any>
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

$ ./faulty 'create:ENOMEM:/checkpoints/:1' rethink run s.yaml --slots 1
lost      <id>  train seed 0: <any>: Cannot allocate memory (a limit on memory: ulimit -v, memory.max, or the machine's own); it is tried again
fewer     one trial at once from now on: <any>: Cannot allocate memory (a limit on memory: ulimit -v, memory.max, or the machine's own)
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

# A worker cannot open a file.
$ ./faulty 'create:EMFILE:/checkpoints/:1' rethink run s.yaml --slots 1
lost      <id>  train seed 0: <any>: Too many open files (a limit on open files: ulimit -n); it is tried again
fewer     one trial at once from now on: <any>: Too many open files (a limit on open files: ulimit -n)
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

# An attempt that cannot open its checkpoint removes nothing of the curve so far.
$ sed 's/sweep: s/sweep: one/; s/0, 1, 2, 3, 4, 5, 6, 7/0/; s/steps: 4/steps: 6/' s.yaml > one.yaml
$ rethink run one.yaml --store quiet --quiet
$ ./faulty 'create:ENFILE:/.checkpoint-4:1,open:ENFILE:/checkpoint-2:2' rethink run one.yaml --slots 1 | grep -v '^fewer'
lost      <id>  train seed 0: <any>/.checkpoint-4<any>: cannot create: Too many open files in system (a limit on open files: ulimit -n); it is tried again
lost      <id>  train seed 0: <any>/checkpoint-2: cannot open: Too many open files in system (a limit on open files: ulimit -n); it is tried again
lost      <id>  train seed 0: <any>/checkpoint-2: cannot open: Too many open files in system (a limit on open files: ulimit -n); it is tried again
goes on   <id>  train seed 0 from step 2 of 6
1 of 1 trials done
next: rethink table <any> or rethink figure <any>
$ for s in store quiet; do rethink query --format csv --store $s 'SELECT split, name, step, value FROM metric ORDER BY 1, 2, 3' > $s.csv; done
$ cmp store.csv quiet.csv && grep -c loss store.csv
6
$ rethink query --format csv 'SELECT number, outcome, resume_step FROM attempt'
number,outcome,resume_step
1,lost,0
2,lost,
3,lost,
4,done,2
$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# After one failure a disk is tried again; a second failure ends the run.
$ ./faulty 'fsync:EIO:/checkpoints/:1' rethink run s.yaml --slots 1
interrupted <id>  train seed 0: <any>: Input/output error
8 of 8 trials done
next: rethink table <any> or rethink figure <any>

$ ./faulty 'fsync:EIO:/checkpoints/:*' rethink run s.yaml --slots 1
interrupted <id>  train seed 0: <any>: Input/output error
interrupted <id>  train seed 0: <any>: Input/output error
0 of 8 trials done, 8 ready
<any>: Input/output error
nothing more was started; look at the disk (`dmesg`, `mount`), then give the same command again

# If a folder has no room, the run ends at once; for a read-only disk it ends after one retry.
$ (echo 'keep: weights'; cat s.yaml) > w.yaml; ./faulty 'mkdir:ENOSPC:/artifacts:*' rethink run w.yaml --slots 1
interrupted <id>  train seed 0: <any>/artifacts: cannot create directories: the disk at <any>; free some space and run the same command again
0 of 8 trials done, 8 ready
...

# An attempt cannot even write the reason for its end.
$ ./faulty 'write:ENOSPC:events.jsonl:5+*' rethink run s.yaml --slots 1
interrupted <id>  train seed 0: <any>/attempt-1/events.jsonl: cannot write: the disk is full, or a quota or a limit on file sizes (ulimit -f) is reached; make room and run the same command again
0 of 8 trials done, 8 ready
<any>/attempt-1/events.jsonl: cannot write: the disk is full, <any>
nothing more was started; make room (`rethink gc --dry-run` says whether the store has any to give), then give the same command again

$ ./faulty 'write:EIO:events.jsonl:*' rethink run s.yaml --slots 1 2>&1 | grep -c '^interrupted .*/events.jsonl: cannot write: the disk failed'
2

$ ./faulty 'mkdir:EROFS:/attempt-:*' rethink run s.yaml --slots 1
...
0 of 8 trials done, 8 ready
<any>
nothing more was started; look at the disk (`dmesg`, `mount`), then give the same command again

# If the driver itself cannot write, it ends its workers; the next command goes on.
$ ./faulty 'write:EIO:rethink.db:20+*' rethink run s.yaml --slots 1
<any>/rethink.db: cannot read or write (<any>); look at the disk (`dmesg`, `mount`)

$ rethink run s.yaml --quiet

$ rethink status
s: 8 of 8 done
no driver is running

# Files that an rm may not remove are off the record; they are named, and the next gc removes them.
$ T=$(ls store/trials | head -1); LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT='unlink:EACCES:result.json:*' rethink rm $T
deleted from the record: 1 trial, <n> files, <n> MB; files of these still on the disk: 1
deleted from the record, but still on the disk: store/trials/.removed-<id>: cannot remove: Permission denied: <any>; have somebody who may remove it run `rm -r store/trials/.removed-<id>`
[exit 3]
$ ls -A store/trials | grep -c removed
1
$ rethink gc
removed <n> MB in 1 place
$ ls -A store/trials | grep -c removed
0
[exit 1]
$ rethink status
s: 7 of 8 done, 1 not started
...
