# The store is moved or removed while a driver works on it.
# not under ODD_PLACE: the store is a link there
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  train: {job: noop, steps: 60, sleep_ms: 50, checkpoint_every: 1}
===
=== begin.sh
rethink run slow.yaml --quiet &
driver=$!
for look in $(seq 600); do ls $(readlink -f store)/trials/*/checkpoints/checkpoint-* >/dev/null 2>&1 && break; sleep 0.05; done
===
$ mkdir -p disk/store; rm -rf store; ln -s disk/store store; . ./begin.sh; mv disk/store disk/other; wait $driver
<any>/store: the store was moved to <any>/disk/other while this command worked on it; nothing is lost: give the same command with --store <any>disk/other<any>, or move the store back first (mv <any>)
[exit 3]

# Nothing was made at the old path, and no worker remains. The trial goes on at the new path.
$ ls disk; rethink --store disk/other status | head -1
other
slow: 0 of 1 done, 1 ready
$ rethink --store disk/other run slow.yaml --quiet 2>&1; rethink --store disk/other query "SELECT number, outcome, resume_step > 0 AS resumed FROM attempt" --format csv
number,outcome,resumed
1,interrupted,0
2,done,1

# The driver does not go on in another store at the old path.
$ rm -r disk store; . ./begin.sh; mv store other; mkdir store; wait $driver
<any>/store: the store was moved to <any>/other while this command worked on it; nothing is lost: give the same command with --store <any>other<any>, or move the store back first (mv <any>)
[exit 3]
$ ls -A store; rmdir store; mv other store; rethink run slow.yaml --quiet; rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The worker makes files while rm removes them.
$ rm -r store; . ./begin.sh; until rm -rf store 2>rm.txt; do :; done; wait $driver
<any>/store: the store was removed, or moved to another disk, while this command worked on it; give the same command again to begin anew, or with --store and the path where the store is now
[exit 3]
$ ls
begin.sh
rm.txt
slow.yaml
