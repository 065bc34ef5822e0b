# The proof with the real worker, whose zygote holds LibTorch.
$ rethink selftest --chaos 5 --seed 1
killing drivers, zygotes and workers of a small sweep 5 times in <any>
5 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at kill points; <n> runs)
