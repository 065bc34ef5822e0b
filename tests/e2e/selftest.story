# The proof that a user can make on his own disk.
$ rethink selftest --chaos 6
killing drivers, zygotes and workers of a small sweep 6 times in <any>
6 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> runs)

$ rethink selftest --chaos -3; rethink selftest --chaos 0
--chaos: got -3, expected 1 or more
--chaos: got 0, expected 1 or more
[exit 2]

$ mkdir full && touch full/file && rethink selftest --store full
<any>/full is not empty; name a new folder for the self test with --store
[exit 2]
