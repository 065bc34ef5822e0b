# A store is on a network disk: its database is elsewhere, a copy of the store gets a separate one, and an unsafe place
# is named. A preloaded library (tests/support/fault_shim) calls work/shared a network disk.
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
# not under ODD_PLACE, ONE_CORE, BARE: the disk is the same there
=== base.yaml
sweep: base
seeds: [0]
stages: {train: {job: noop, steps: 2, grid: {tag: [x, y]}}}
===
=== more.yaml
sweep: more
seeds: [0]
stages: {train: {job: noop, steps: 2, grid: {tag: [a, b, c]}}}
===
=== shared.sh
mkdir -p shared
export LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_NETWORK_DISK=/work/shared
===
$ . ./shared.sh; rethink --store shared/a run base.yaml && cp -r shared/a shared/b && rethink --store shared/b run more.yaml --quiet
...
2 of 2 trials done
next: rethink table <any> or rethink figure <any>

$ ls shared/a
lock
sweeps
trials
uuid
writes

# Each of them has separate rows, so changes of one do not appear in the other.
$ . ./shared.sh; rethink --store shared/a query --by tag --show n
tag  n
───  ─
x    1
y    1

$ . ./shared.sh; rethink --store shared/b rm base --yes && rethink --store shared/a status
removed sweep base, 2 trials, <n> files, <n> MB
base: 2 of 2 done
no driver is running

$ . ./shared.sh; rethink --store shared/b status
more: 3 of 3 done
no driver is running

# A store that was renamed keeps its database.
$ . ./shared.sh; mv shared/b shared/c && rethink --store shared/c status
more: 3 of 3 done
no driver is running

# A backup that is copied back into a folder with the old folder's inode does not take over that folder's database.
$ . ./shared.sh; rethink --store shared/e run base.yaml --quiet && cp -r shared/e backup && rethink --store shared/e run more.yaml --quiet
...

$ . ./shared.sh; rm -rf shared/e/*; cp -r backup/* shared/e; rethink --store shared/e status
shared/e: the store has no database here; `rethink db rebuild --store shared/e` makes it from the trials' folders
[exit 3]

$ . ./shared.sh; rethink --store shared/e db rebuild > said && rethink --store shared/e status
base: 2 of 2 done
no driver is running

$ . ./shared.sh; rethink --store shared/a doctor | grep 'ok database'
ok database   on a local disk, as the store is on a network one

# Databases whose stores were removed, renamed or replaced are listed; gc keeps them, since a disk may not be mounted.
$ . ./shared.sh; rethink --store shared/e gc; rethink --store shared/e doctor | grep unused | sort -t : -k 2
removed 0.0 MB in 0 places
ok unused     <n> MB: the database of a store that is no longer at <any>/shared/b: it was removed, renamed or replaced, or its disk is not mounted; if it was removed, give: rm -r <any>/rethink/<any>
ok unused     <n> MB: the database of a store that is no longer at <any>/shared/e: <any>

$ . ./shared.sh; rethink --store shared/c doctor | grep -c unused; rethink --store shared/e doctor | sed -n "s/^ok unused .*shared\/e.* give: //p" > clean; sh clean; rethink --store shared/e doctor | grep -c unused; for s in a c e; do rethink --store shared/$s status | head -1; done
1
1
base: 2 of 2 done
more: 3 of 3 done
base: 2 of 2 done

# If the database would be on a network disk, too, or if locks exclude nobody, run and doctor say so.
$ . ./shared.sh; export XDG_STATE_HOME=$PWD/shared/state; rethink --store shared/d run base.yaml --quiet
<any> warning the store is on a network disk, and the folder of its database, <any>/shared/state/rethink/<any>, is on a network disk too: commands that run at the same time may damage it (`rethink db rebuild --store <any>shared/d<any>` makes it again); set XDG_STATE_HOME to a folder on a local disk that you may write

$ . ./shared.sh; export XDG_STATE_HOME=$PWD/shared/state; rethink --store shared/f run base.yaml --site local --wait --quiet
<any> warning the store is on a network disk, and the folder of its database, <any>/shared/state/rethink/<any>, is on a network disk too: commands that <any>

$ . ./shared.sh; export XDG_STATE_HOME=$PWD/shared/state; rethink --store shared/d doctor > said; echo $?; grep database said
3
!! database   the store is on a network disk, and the folder of its database, <any>/shared/state/rethink/<any>, is on a network disk too: commands that run at the same time may damage it (`rethink db rebuild --store <any>shared/d<any>` makes it again); set XDG_STATE_HOME to a folder on a local disk that you may write

$ . ./shared.sh; export XDG_STATE_HOME=$PWD/odd RETHINK_FAULT='lock:ENOLCK:/odd/:*'; rethink --store shared/d run base.yaml --quiet
<any> warning the store is on a network disk, and the folder of its database, <any>/odd/rethink/<any>, is on a disk that <any>: commands <any>

$ . ./shared.sh; export XDG_STATE_HOME=$PWD/twice RETHINK_FAULT='lock:granted:/twice/:*'; rethink --store shared/d run base.yaml --quiet
<any> warning the store is on a network disk, and the folder of its database, <any>/twice/rethink/<any>, is on a disk that grants one lock twice: commands <any>

$ . ./shared.sh; export XDG_STATE_HOME=/proc/none; rethink --store shared/d run base.yaml --quiet
/proc/none: cannot make the folder: No such file or directory; the store is on a network disk and its database belongs on a local one: set XDG_STATE_HOME to a folder there that you may write
[exit 3]
