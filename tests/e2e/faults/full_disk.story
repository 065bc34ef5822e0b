# A disk, or here a limit on file sizes, has no room: the trial loses no retry, no partial file remains, and the same
# command goes on as soon as there is room.
=== big.yaml
sweep: big
seeds: [0]
stages:
  train: {job: noop, steps: 4, checkpoint_every: 2, checkpoint_mb: 8, retry: {failed: 0, killed: 0}, grid: {tag: [a, b]}}
===
$ ulimit -f 4096; rethink run big.yaml --slots 1
started   <id>  train tag=a seed 0
interrupted <id>  train tag=a seed 0: <any>/checkpoints/.checkpoint-2.<n>.tmp: cannot write: files may not grow so large here (ulimit -f is 2.00 MiB); raise the limit and run the same command again
0 of 2 trials done, 2 ready
<any>; raise the limit and run the same command again
nothing more was started; make room (`rethink gc --dry-run` says whether the store has any to give), then give the same command again
[exit 3]

$ find store -name '.*.tmp' -o -name 'checkpoint-*'

$ rethink run big.yaml --quiet

$ rethink status
big: 2 of 2 done
no driver is running

# SQLite calls the same limit an I/O error, for the database and for its -wal.
$ for limit in 2 20 130 140; do (ulimit -f $limit; rethink run big.yaml --store small$limit); done
<any>/rethink.db: cannot write: files may not grow so large here (ulimit -f is 1024 bytes); raise the limit and run the same command again
<any>/rethink.db: cannot write: files may not grow so large here (ulimit -f is 10240 bytes); raise the limit and run the same command again
<any>/rethink.db: cannot write: files may not grow so large here (ulimit -f is 66560 bytes); raise the limit and run the same command again
<any>/rethink.db: cannot write: files may not grow so large here (ulimit -f is 71680 bytes); raise the limit and run the same command again
[exit 3]
