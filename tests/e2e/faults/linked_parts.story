# A link, a pipe or a folder takes the place of a file within a trial's attempts and artifacts, or of the store's lock:
# every command that reads the whole store names it.
=== x.yaml
sweep: x
seeds: [0]
stages:
  parent: {job: noop, steps: 2}
  child: {job: noop, needs: {init: parent}, steps: 2}
===
=== put
# put KIND FILE: in the place of a file of trial T in the store s, which is made anew
rm -rf s m outside; cp -rL store s
case $2 in */log) : >> "$2" ;; esac # one in which nothing stood was removed
mv "$2" outside
case $1 in
  link) ln -s "$PWD/outside" "$2" ;;
  pipe) mkfifo "$2" ;;
  folder) mkdir "$2" ;;
esac
===
$ rethink run x.yaml --quiet; ls -d store/trials/*/artifacts/weights.safetensors | wc -l
1
$ t=s/trials/$(basename $(dirname $(dirname "$(ls -d store/trials/*/artifacts/weights.safetensors)"))); for file in attempt-1/log artifacts/weights.safetensors attempt-1/events.jsonl; do for kind in link pipe folder; do sh put $kind $t/$file; for command in 'db check --store s' 'gc --store s' 'db merge s --store m' 'db rebuild --store s'; do rethink $command > said 2>&1; echo $file $kind: $command, exit $?, $(grep -c "$file: is a" said) named; done; done; done > all; find m -type l | wc -l; grep -v 'exit 1, 1 named' all
0
attempt-1/log link: gc --store s, exit 0, 1 named
attempt-1/log pipe: gc --store s, exit 0, 1 named
attempt-1/log folder: gc --store s, exit 0, 1 named
artifacts/weights.safetensors link: gc --store s, exit 0, 1 named
artifacts/weights.safetensors pipe: gc --store s, exit 0, 1 named
artifacts/weights.safetensors folder: gc --store s, exit 0, 1 named
attempt-1/events.jsonl link: gc --store s, exit 0, 1 named
attempt-1/events.jsonl pipe: gc --store s, exit 0, 1 named
attempt-1/events.jsonl folder: gc --store s, exit 0, 1 named

# For a part that rethink did not make, a pipe stops the merge of its trial with the system's reason, and a link is not copied.
$ t=$(ls store/trials | head -n 1); rm -rf s m; cp -rL store s; mkfifo s/trials/$t/notes; rethink db merge s --store m; rm -r m s/trials/$t/notes; ln -s ../../../x.yaml s/trials/$t/notes; rethink db merge s --store m; find m -name notes
not merged: trial <id>: <any>s/trials/<id>/notes: <any>
1 trial added, 0 already known, 0 unfinished or running; 1 sweep changed
2 trials added, 0 already known, 0 unfinished or running; 1 sweep changed

# Other programs' files are named, and stop nothing.
$ rm -rf s m; cp -rL store s; t=$(ls store/trials | head -n 1); ln -s ../../../../x.yaml s/trials/$t/attempt-1/notes; rethink db check --store s; rethink db rebuild --store s; rethink db merge s --store m; find m -name notes; rm s/trials/$t/attempt-1/notes; mkdir s/trials/$t/artifacts/plots; rethink db check --hashes --store s
note: trial <id>: s/trials/<id>/attempt-1/notes: is none of rethink's files, and no command reads or follows it
the database is sound and its states are those of the folders (--hashes compares every row, event and artifact), except for what the notes list
trial <id>: s/trials/<id>/attempt-1/notes: is none of rethink's files, and no command reads or follows it
2 trials, 1 sweep
2 trials added, 0 already known, 0 unfinished or running; 1 sweep changed
note: trial <id>: s/trials/<id>/artifacts/plots: is none of rethink's files, and no command reads or follows it
the database is sound and says what the folders say: <any>, except for what the notes list

# These are the store's own parts.
$ for kind in link pipe; do for file in lock uuid requests piped cache; do sh put $kind s/$file 2> /dev/null; rethink db check --store s | grep "s/$file: is a "; done; done
<any>s/lock: is a link, and a driver would write its name into the file there; remove it
<any>s/requests: is a link to <any>, which does not exist; mount the disk that it is on, or, if it is not needed any more, remove the link
<any>s/piped: is a link to <any>, which does not exist; mount the disk that it is on, or, if it is not needed any more, remove the link
<any>s/cache: is a link to <any>, which does not exist; mount the disk that it is on, or, if it is not needed any more, remove the link
<any>s/lock: is a named pipe, expected a file; move it away
<any>s/uuid: is a named pipe, expected a file; move it away
<any>s/requests: is a named pipe, expected a folder; move it away
<any>s/piped: is a named pipe, expected a folder; move it away
<any>s/cache: is a named pipe, expected a folder; move it away

# Something else takes the place of all trials.
$ rm -rf s; cp -rL store s; mv s/trials outside; mkfifo s/trials; for command in "run x.yaml" "rm x --yes" "gc" "db rebuild" "db merge store"; do timeout 60 rethink $command --store s 2>&1 | sed 's#.*/s/trials#s/trials#'; done
s/trials: is a named pipe, expected a folder; move it away
s/trials: is a named pipe, expected a folder; move it away
s/trials: is a named pipe, expected a folder; move it away
s/trials: is a named pipe, expected a folder; move it away
s/trials: is a named pipe, expected a folder; move it away
