# A store of a newer version is left alone.
=== one.yaml
sweep: one
seeds: [0]
stages:
  train: {job: noop, steps: 2}
===
$ rethink run one.yaml --quiet

# user_version stands at byte 60 of the database, and at byte 20 how many bytes at the end of each page it keeps for checksums.
$ printf '\000\000\003\347' | dd of=store/rethink.db bs=1 seek=60 conv=notrunc status=none && printf '\020' | dd of=store/rethink.db bs=1 seek=20 conv=notrunc status=none && cksum store/rethink.db >before

$ rethink status
...
[exit 3]

$ rethink run one.yaml
...
[exit 3]

$ cksum store/rethink.db | diff - before
