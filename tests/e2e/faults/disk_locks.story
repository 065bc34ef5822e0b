# A disk has no file locks, or grants a lock to everybody. The faults come from a preloaded library
# (tests/support/fault_shim).
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
# not under ODD_PLACE, ONE_CORE, BARE: the faults are the same there
=== s.yaml
sweep: s
seeds: [0]
stages: {train: {job: noop, steps: 1}}
===
=== faulty
#!/bin/sh
# faulty RULES COMMAND...
rules=$1
shift
LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_FAULT=$rules RETHINK_FAULT_PROGRAM=rethink "$@" 2>&1
===
$ chmod +x faulty

$ rethink doctor | grep locks; ls -A | grep lock-probe
ok locks      open-file-description locks work
[exit 1]

# 22 is EINVAL.
$ ./faulty 'lock:22::*' rethink doctor | grep locks
!! locks      the disk at <any> does not support file locks (F_OFD_SETLK); put the store on a local one (--store)

$ ./faulty 'lock:EAGAIN::*' rethink doctor | grep locks
!! locks      the disk at <any> refuses a lock that nobody has; put the store on a local one (--store)

$ ./faulty 'lock:granted::*' rethink doctor | grep locks
!! locks      the disk at <any> grants one lock twice; put the store on a local one (--store)

# No command would notice that the locks exclude nobody, so `run` warns once.
$ ./faulty 'lock:granted::*' rethink --store granted run s.yaml --quiet | sed "s/^.* warning/warning/"
warning <any>/granted: its disk grants one lock twice: commands that run at the same time may run one trial twice and damage the database (`rethink db rebuild --store <any>granted<any>` makes it again); put the store on a local disk (--store)

$ ls -A granted | grep lock-probe; rethink --store granted run s.yaml --quiet

# A store on a disk that refuses locks: nothing runs there, neither here nor by pilots.
$ ./faulty 'lock:22::*' rethink --store refused run s.yaml --quiet
<any>/refused/lock: this disk does not support file locks (F_OFD_SETLK), which keep two processes from running the same trial; put the store on another disk with --store
[exit 3]

$ ./faulty 'lock:22::*' rethink --store refused run s.yaml --site local --quiet; ls refused
<any>/refused/lock: this disk does not support file locks (F_OFD_SETLK), which keep two processes from running the same trial; put the store on another disk with --store
lock

$ ./faulty 'create:EACCES:lock-probe:*' rethink doctor | grep locks; ls -A | grep lock-probe
!! locks      could not be tried: <any>/.lock-probe-<any>: cannot create: Permission denied<any>
[exit 1]

# A cache without locks is not used, and no trial is lost for it.
$ mkdir -p home/.cache/rethink; HOME=$PWD/home XDG_CACHE_HOME= ./faulty 'lock:22:lock-probe:*' rethink run s.yaml
<any> info the cache <any>/home/.cache/rethink cannot be used (its disk does not support file locks (F_OFD_SETLK)): prepared data sets go to <any>/store/cache; XDG_CACHE_HOME can name another folder
...

$ ls -A home/.cache/rethink
