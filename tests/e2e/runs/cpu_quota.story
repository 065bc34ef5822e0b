# A cgroup's CPU quota bounds the slots, and doctor names it. A preloaded library (tests/support/fault_shim) reads the
# cgroup from a folder.
# only with noop/libfault_shim.so: a sanitizer wants to be loaded first
# not under ODD_PLACE, ONE_CORE, BARE: the quota is the same there
=== group/proc/self/cgroup
0::/job
===
=== group/sys/fs/cgroup/job/cpu.max
50000 100000
===
=== s.yaml
sweep: s
seeds: [0, 1]
stages: {train: {job: noop, steps: 2}}
===
$ LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_CGROUPS=$PWD/group rethink doctor | grep processor
ok processor  <any> for us, and a CPU quota that pays for 0.5: 1 slot at once;<any>

$ LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_CGROUPS=$PWD/group rethink run s.yaml --slots 2 2>&1 | grep note
--slots: note: 2 slots share 1 core<any>

# Without a quota the line does not mention one.
$ echo 'max 100000' > group/sys/fs/cgroup/job/cpu.max; LD_PRELOAD=$RETHINK_PROGRAMS/libfault_shim.so RETHINK_CGROUPS=$PWD/group rethink doctor | grep -c quota
0
[exit 1]
