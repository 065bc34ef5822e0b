# The proof with the real worker, whose zygote holds LibTorch.
$ rethink selftest --chaos 4 --seed 1
killing drivers, zygotes and workers of a small sweep 4 times in <any>
4 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> runs)
