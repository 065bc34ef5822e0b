# A changed digit, word, key or hash in a result never becomes a number: the message names the file and the command that
# helps, `run` and `db rebuild` go on with the other trials, `retry` heals, and a select of several seeds gives the same
# result again.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 3, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  tune: {job: noop, needs: {init: best}, steps: 2}
===
$ rethink run s.yaml --quiet && cp -r store sound
$ best=$(rethink query 'select trial from runs where job = '"'select'" --format csv | tail -n 1); echo $best > best; cp store/trials/$best/result.json result
$ train=$(rethink query "select trial from label where value = 'a' limit 1" --format csv | tail -n 1); echo $train > train

$ sed -i 's/"dev\/score":0\./"dev\/score":9./' store/trials/$(cat train)/result.json
$ rethink db check
trial <id>: <any>/result.json is damaged (its checksum does not fit what it says); the next run of its sweep makes it again; a rebuild before that loses its numbers
[exit 1]
$ sed 's/tag: \[a, b\]/tag: [a, b, c]/; s/: s$/: more/' s.yaml > more.yaml; rethink run more.yaml > said 2>&1; grep damaged said
lost      <id>  train tag=a seed <n>: its result.json is damaged (its checksum does not fit what it says); the trial runs again<any>
$ rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

$ for change in 's/"done"/"dnoe"/' 's/"artifacts"/"artefacts"/' 's/"sha256":"./"sha256":"x/' 's/"selected"/"selectad"/' 's/"score":0/"score":1/' 's/"checksum"/"checksun"/'; do sed "$change" result > store/trials/$(cat best)/result.json; cmp -s result store/trials/$(cat best)/result.json && echo "unchanged: $change"; rethink run s.yaml > said 2>&1 || echo "exit $?: $change"; grep -c 'result.json is damaged' said; rethink db check --hashes; done
1
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
1
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

$ sed 's/"done"/"dnoe"/' result > store/trials/$(cat best)/result.json; rethink db rebuild
<any>trial <id>: <any>/result.json is damaged (its checksum does not fit what it says); the next run makes it again
1 trial lost numbers: <id>; the old database, which has these numbers, is now store/rethink.db.damaged-1, which `rethink gc` removes
<n> trials, 2 sweeps
[exit 1]
$ rethink export $(cat best) out
<any>/result.json is damaged (its checksum does not fit what it says); `rethink retry <id>` and the next run of its sweep make it again
[exit 2]
$ rethink retry $(cat best)
1 trial may run again
$ rethink run s.yaml --quiet && rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# These are the files of the driver.
$ for file in $(find store/sweeps -name '*.json'); do sed -i 's/"train"/"trian"/' $file; done; rethink status
...
$ rethink run s.yaml --quiet; rethink run more.yaml --quiet; rethink db check --hashes
...
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The artifacts of a select are missing and are made again: two seeds, one name.
$ rm store/trials/$(cat best)/result.json && cp result store/trials/$(cat best)/old_result.json && rethink run s.yaml --quiet && rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
