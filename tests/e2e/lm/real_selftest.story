# The proof with the real worker, whose zygote has LibTorch loaded.
$ rethink selftest --chaos 4 --seed 1
killing drivers, zygotes and workers of a small sweep 4 times in <any>
4 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> runs)

# The proof of a sweep that trains: weights and every metric have the same bits.
=== small.yaml
sweep: small
seeds: [0, 1]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language, sentences: 40}
    model: {layers: 1, d_model: 16, heads: 1, ffn: 16}
    batch: 8
    steps: 12
    log_every: 4
    checkpoint_every: 0
resources: {threads: 1}
===
$ rethink selftest --chaos 3 --sweep small.yaml
killing drivers, zygotes and workers of small.yaml 3 times in <any>
3 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> runs)
