# A limit on the size of files (ulimit -f, here 8 kB) ends no command without a message.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 40, grid: {tag: [a, b]}}
===
$ rethink run s.yaml --quiet; cp -rL store other
$ ulimit -f 16; for words in 'db snapshot copy.db' 'db rebuild' 'db merge other' 'gc' 'retry s.yaml' 'cancel s.yaml' 'rm s.yaml --yes --store other'; do rethink $words >said 2>&1; code=$?; [ $code -lt 100 ] && grep -q . said || echo "$words: exit $code"; grep -q 'files may not grow so large here (ulimit -f' said || [ $code = 0 ] || cat said; done
$ rethink db check --hashes
the database is sound and <any>
