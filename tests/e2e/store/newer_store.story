# A newer version's store is not changed.
=== one.yaml
sweep: one
seeds: [0]
stages:
  train: {job: noop, steps: 2}
===
$ rethink run one.yaml --quiet

# user_version is at byte 60 of the database; byte 20 holds how many bytes at the end of each page are kept for checksums.
$ printf '\000\000\003\347' | dd of=store/rethink.db bs=1 seek=60 conv=notrunc status=none && printf '\020' | dd of=store/rethink.db bs=1 seek=20 conv=notrunc status=none && cksum store/rethink.db >before

$ rethink status
...
[exit 3]

$ rethink run one.yaml
...
[exit 3]

$ cksum store/rethink.db | diff - before
