# A user can repeat the proof on any disk: without a store, it runs in a folder beside the future one.
# not under ODD_PLACE, ONE_CORE, BARE: it takes long and has a place of its own
$ rethink selftest --chaos 6
killing drivers, zygotes and workers of a small sweep 6 times in <any>/work/.rethink-selftest-<any>
6 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> runs)

$ rethink selftest --chaos -3; rethink selftest --chaos 0
--chaos: got '-3', expected a whole number, 1 or more
--chaos: got '0', expected a whole number, 1 or more
[exit 2]

$ rethink selftest --device gpu; rethink selftest --sweep none.yaml
--device: got 'gpu', expected cpu, cuda or auto; did you mean 'cuda'?
--sweep: got 'none.yaml', expected a sweep file
[exit 2]

# An existing store may be on another disk. Nothing remains in it.
$ mkdir full && touch full/file && rethink selftest --chaos 1 --store full && ls -A full
killing drivers, zygotes and workers of a small sweep 1 time in <any>/work/full/.rethink-selftest-<any>
1 kill: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> run<any>)
file
