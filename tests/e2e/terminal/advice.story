# Commands in messages name the store that the user gave, whatever is wrong with the store: every `rethink COMMAND` in
# the answers below has its --store. (A trial's id is a hash: without --store the advice would remove a trial of
# ./store.)
# not under ODD_PLACE, ONE_CORE, BARE: 300 commands, of which only the words are looked at
=== chain.yaml
sweep: chain
seeds: [0, 1]
stages:
  base: {job: noop, steps: 3, grid: {tag: [a, b]}}
  tuned: {job: noop, needs: {init: base}, steps: 2}
  bad: {job: noop, steps: 2, fail_at: 1, tag: z}
===
=== plots/tables/t.yaml
table: t
sweep: chain.yaml
stage: base
metric: dev/score@last
rows: {axis: tag}
columns: [{label: score}]
direction: max
seeds: 3
===
=== plots/tables/bad.yaml
table: bad
sweep: chain.yaml
stage: bad
metric: dev/score@last
rows: [{label: bad}]
columns: [{label: score}]
direction: max
===
=== commands
db check --hashes
status
status --all
table t bad
why t a
why t
query --by state --show 'mean(dev/score)'
query --show dev/nothing
curve dev/score
curve dev/nothing
show ffff
why $done
logs $done --attempt 9
mask $done
export $failed out
export $done out
diff $done
diff $done $failed
cancel $done
retry $done
retry $failed
rm
cancel
retry
gc --dry-run
db rebuild
gc
run chain.yaml
run t
table t --run --slots 1
===
=== damages
:
rm elsewhere/rethink.db*
printf x | dd of=elsewhere/rethink.db bs=1 seek=5000 conv=notrunc 2>&1
sed -i 's/"score":0/"score":1/' elsewhere/trials/*/result.json
for f in elsewhere/trials/*/state.json elsewhere/trials/*/trial.json; do echo '{' > $f; done
for f in elsewhere/trials/*/attempt-1/events.jsonl; do truncate -s 100 $f; done
for f in elsewhere/trials/*/artifacts/*; do echo cut > $f; done
rm -r elsewhere/trials/$done
for f in elsewhere/sweeps/*; do echo '{' > $f; done
rm -r elsewhere/sweeps
mv elsewhere/rethink.db aside.db; ln -s ../aside.db elsewhere/rethink.db
ln elsewhere/rethink.db second.db
===
=== advised
# Prints what the answers tell to type, each once, as "rethink rm ID --store DIR"; "rethink why t: " begins a refusal.
grep -oE 'rethink [a-z]+ [^`;,&)]*' answers | grep -vE -- '--help|: ' | sed -E 's/[0-9a-f]{20}/ID/g; s/ +$//' | sort -u
===
$ rethink run chain.yaml --store sound --quiet
failed, 2 trials: <any>
...
[exit 1]
$ rethink query "select trial from runs where tag = 'a' limit 1" --store sound --format csv | tail -n 1 > done; rethink query "select trial from runs where state = 'failed' limit 1" --store sound --format csv | tail -n 1 > failed
$ done=$(cat done); failed=$(cat failed); while read -r damage; do rm -rf elsewhere aside.db second.db; cp -r sound elsewhere; eval "$damage"; while read -r command; do eval "rethink $command --store elsewhere < /dev/null"; done < commands; done < damages > answers 2>&1
$ sh advised | grep -v -- '--store [^ ]*elsewhere$'
[exit 1]
$ sh advised | sed -E 's/^rethink (db [a-z]+|[a-z]+).*/\1/' | sort -u | tr '\n' ' '
db rebuild diff gc logs retry rm run show status table why <any>

# A snapshot can be read, and commands that need the store say so.
$ rethink db snapshot copy.db --store sound > /dev/null; for command in "table t bad" "query --show 'mean(dev/score)'" "query --show dev/nothing" "curve dev/score" "show ffff" "figure nothing" "db check"; do eval "rethink $command --store copy.db"; done > answers 2>&1
$ sh advised
rethink retry chain --store FOLDER_OF_THE_STORE
rethink status --all --store FOLDER_OF_THE_STORE
rethink status --store FOLDER_OF_THE_STORE
