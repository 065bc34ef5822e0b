# A HOME that is missing, full, read-only or without locks costs no trial: prepared data sets go to the store, and the
# message names the cache. The faults come from a preloaded library (tests/support/fault_shim).
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
=== lm.yaml
sweep: lmx
seeds: [0]
stages:
  train:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 3
    evaluate: {splits: [dev, test], keep: best}
===
=== with.sh
# with.sh HOME RULES OPTION...: a run in an empty store
rm -rf store
export HOME=$1 XDG_CACHE_HOME= RETHINK_FAULT=$2
shift 2
LD_PRELOAD=$(dirname "$(command -v rethink)")/../noop/libfault_shim.so rethink run lm.yaml "$@"
===
$ mkdir small

$ sh with.sh /proc/none ''
<any> info the cache /proc/none/.cache/rethink cannot be used (/proc/none: cannot make the folder: No such file or directory): prepared data sets go to <any>/store/cache; XDG_CACHE_HOME can name another folder
started   <id>  train seed 0
done      <id>  train seed 0  <any>
1 of 1 trials done
...
$ ls store/cache | grep -c 'tokens$'
1

# --quiet omits the message, since nothing is lost.
$ sh with.sh /proc/none '' --quiet

$ sh with.sh "$PWD/small" 'write:ENOSPC:/small/:*' 2>&1 | grep -v train
<any> info the cache <any>/small/.cache/rethink cannot be used (its disk is full): prepared data sets go to <any>/store/cache; XDG_CACHE_HOME can name another folder
1 of 1 trials done
...

$ rm -rf small/.cache; sh with.sh "$PWD/small" 'mkdir:EROFS:/small/:*,create:EROFS:/small/:*' 2>&1 | grep -v train
<any> info the cache <any>/small/.cache/rethink cannot be used (<any>/small/.cache: cannot make the folder: Read-only file system): prepared data sets go to <any>/store/cache; XDG_CACHE_HOME can name another folder
1 of 1 trials done
...

$ sh with.sh "$PWD/small" 'lock:ENOLCK:/small/:*' 2>&1 | grep -v train
<any> info the cache <any>/small/.cache/rethink cannot be used (its disk does not support file locks (F_OFD_SETLK)): prepared data sets go to <any>/store/cache; XDG_CACHE_HOME can name another folder
1 of 1 trials done
...
$ ls store/cache | grep -c 'tokens$'
1

# If the cache's disk fails during a run, the run ends and names the cache, and the same command goes on.
$ rm -rf small/.cache; sh with.sh "$PWD/small" 'fsync:ENOSPC:.tokens:*' > said 2>&1; echo $?; tail -2 said
3
<any>.tmp: cannot sync: the disk at <any>; this is the cache of prepared data sets, not the store: XDG_CACHE_HOME can name another folder
nothing more was started; <any>
$ rm -rf small/.cache; sh with.sh "$PWD/small" 'fsync:EIO:.tokens:*' > said 2>&1; echo $?; tail -2 said
3
<any>.tmp: cannot sync: Input/output error; this is the cache of prepared data sets, not the store: XDG_CACHE_HOME can name another folder
nothing more was started; look at the disk (`dmesg`, `mount`), then give the same command again
$ HOME=$PWD/small XDG_CACHE_HOME= rethink run lm.yaml --quiet
$ rethink status
lmx: 1 of 1 done
no driver is running
