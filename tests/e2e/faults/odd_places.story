# Folders that are missing, not UTF-8, too long or not writable.
# not under BARE: it has no HOME to be without
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b]}}
===
$ rethink run s.yaml --quiet

# A slash after the folder's name does not make another store.
$ rethink run s.yaml --quiet --store slash/; rethink status --store slash//; ls slash | grep -v '^rethink.db-'
s: 2 of 2 done
no driver is running
lock
rethink.db
sweeps
trials
uuid
writes

# A new store is not made among a user's files. An existing store stays unchanged.
$ mkdir mine; cp s.yaml mine; cd mine; rethink run s.yaml --store .; cat s.yaml | rethink run - --store .; ls -A
<any>/mine: holds s.yaml and is not a store; a new store would mix its files with these; give --store a new or empty folder, such as <any>/mine/store<any>
.: holds s.yaml and is not a store; a new store would mix its files with these; give --store a new or empty folder, such as ./store
s.yaml
$ rm -r mine; cp s.yaml store/own.yaml; rethink run s.yaml --quiet; rethink status; rm store/own.yaml
s: 2 of 2 done
no driver is running

# The current folder or the folder for temporary files is missing.
$ mkdir gone && cd gone && rmdir ../gone && rethink status
the current folder was removed; change to a folder that exists (cd), then give the command again
[exit 3]

$ TMPDIR=/nonexistent rethink db check --hashes
TMPDIR is /nonexistent, which is not a folder (expected one for temporary files); set TMPDIR to a folder that exists, or unset it
[exit 3]

# An empty variable counts as not set.
$ TMPDIR= rethink db check --hashes
the database is sound <any>

# Names that are impossible for a store's file are refused before anything runs.
$ mkdir "$(printf 'caf\351')" && rethink --store "$(printf 'caf\351/store')" run s.yaml
<any>: got 'caf\xE9/store', which is not UTF-8, as names in stores and sweeps have to be; rename the folder or file (mv, convmv), or name another
[exit 2]

$ cp s.yaml "$(printf 'caf\351')" && rethink run "$(printf 'caf\351/s.yaml')"
the command line: got 'caf\xE9/s.yaml', which is not UTF-8, as names in stores and sweeps have to be; rename the folder or file (mv, convmv), or name another
[exit 2]

$ cd "$(printf 'caf\351')" && rethink run s.yaml
the current folder: got '<any>caf\xE9', which is not UTF-8, as names in stores and sweeps have to be; rename the folder or file (mv, convmv), or name another
[exit 2]

$ rethink db snapshot "$(printf 'caf\351/copy.db')"
db snapshot: got 'caf\xE9/copy.db', which is not UTF-8, as names in stores and sweeps have to be; rename the folder or file (mv, convmv), or name another
[exit 2]

$ ls "$(printf 'caf\351')"
s.yaml

# SQLite accepts no longer paths.
$ d=$(printf 'd%.0s' $(seq 1 200)); rethink --store "$PWD/$d/$d/$d" run s.yaml --quiet
<any>/rethink.db: the path of the database has <n> bytes and may have at most 491: SQLite allows 512, and files beside the database have longer names; put the store where its path is shorter (--store)
[exit 3]

# A HOME that is not writable costs no trial.
$ HOME=/proc/none XDG_CACHE_HOME= rethink --store homeless run s.yaml 2>&1 | grep cache
<any> info the cache /proc/none/.cache/rethink cannot be used (/proc/none: cannot make the folder: No such file or directory): prepared data sets go to <any>/homeless/cache; XDG_CACHE_HOME can name another folder

$ rethink --store homeless status s
s: 2 of 2 done
...

# The next gc removes the files that an rm was not allowed to remove.
$ mkdir store/trials/.removed-0123456789abcdef0123 && rethink gc
removed 0.0 MB in 1 place
$ ls -A store/trials | grep -c removed
0
[exit 1]
$ mkdir store/trials/.removed-0123456789abcdef0123 && rethink run s.yaml --set stages.train.steps=3 --quiet
$ ls -A store/trials | grep -c removed
0
[exit 1]

# A select names the weights of its candidates, whatever the store's name is.
=== choose.yaml
sweep: choose
seeds: [0, 1]
stages:
  train: {job: noop, steps: 1, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, by: dev/score, over: [tag]}
===
$ mkdir -p inner; for s in ./v1 ../work/v2 inner/../v3 .//v4 "$PWD/inner/../v5" "$PWD/v6/"; do timeout 20 rethink run choose.yaml --store "$s" --quiet || echo "exit $? in $s"; rethink --store "$s" status; done | grep -v "5 of 5 done\|no driver is running"
[exit 1]
