# Names, labels, paths and a database contain commands; no command that reads the store runs them.
=== $(touch ran);.yaml
sweep: evil
seeds: [0]
stages:
  "train":
    job: noop
    steps: 2
    cases:
      arm:
        "| touch ran": {tag: "<touch ran"}
        "'; touch ran; '": {tag: "--help"}
        "../../ran": {tag: "%s%n%p"}
===
=== plots/tables/t.yaml
table: t
title: "`touch ran` $(touch ran)"
sweep: "$(touch ran);.yaml"
stage: train
rows: [{label: "| touch ran", where: {arm: "| touch ran"}}, {label: "=cmd|' /C touch ran'!A0", where: {arm: "'; touch ran; '"}}]
columns: [{label: "$(touch ran)", metric: dev/score}]
direction: max
seeds: 1
===
=== plots/figures/f.yaml
figure: f
title: "`touch ran`; system 'touch ran'"
kind: curves
sweep: "$(touch ran);.yaml"
stage: train
metric: train/loss
series: [{label: "<touch ran", where: {arm: "| touch ran"}}, {label: "'; system 'touch ran'; '", where: {arm: "'; touch ran; '"}}]
===
$ rethink run './$(touch ran);.yaml' --quiet
$ trial=$(rethink query 'select trial from runs limit 1' --format csv | tail -n 1); other=$(rethink query 'select trial from runs limit 1 offset 1' --format csv | tail -n 1); echo "$trial $other" > trials
# Version 0.1.0 wrote such a database, without checksums of pages; an attacker could make these, too.
$ $FIXTURES/to_format_1.sh store && sqlite3 store/rethink.db "drop view runs; create view runs as select load_extension('./ran.so') as trial; drop view final; create view final as select 'x' as trial, 'dev' as split, 'score' as name, 1 as step, 9.0 as value; create trigger t after update on trial begin select load_extension('./ran.so'); end; create view mine as select json_extract(configuration, '$') as c from trial; create view worse as select writefile('ran', 'x') as c"
$ cp -rL store copied; read trial other < trials; for command in 'plan "./\$(touch ran);.yaml"' 'status --all' "show $trial" "show $trial --format json" "why $trial" 'why t 1 1' 'table t --path .' 'table t --path . --format csv' 'table t --path . --format latex' 'figure f --path .' 'claims --path .' "logs $trial" "query 'select * from runs'" 'curve train/loss --by arm' 'db check' 'db check --hashes' "diff $trial $other" 'describe noop' 'gc --dry-run' "rm $trial --dry-run" "export $trial './\$(touch ran)'" "mask $trial" 'schema' 'doctor' 'db snapshot "./\$(touch ran).db"' 'report --path .' 'score bleu --ref "./\$(touch ran);.yaml" --hyp "./\$(touch ran);.yaml"' 'score import "./\$(touch ran);.yaml" --store copied' 'import "./\$(touch ran)" --out brought' 'tokenize --train "./\$(touch ran).txt" --size 300 "./\$(touch ran);.yaml"' 'tokenize --vocab "./\$(touch ran).txt" "./\$(touch ran);.yaml"' 'db merge store --store merged' 'score submission "./\$(touch ran);.yaml" handed_in'; do eval "rethink $command" > said 2>&1; code=$?; [ $code -gt 3 ] && echo "exit $code: $command"; grep -l 'unexpected' said; find . -name 'ran*' -newer trials | grep .; done; true

# The numbers are those of the tables; an attacker's view with a function that is not harmless is refused.
$ rethink query 'select count(*) as n, min(score) < 1 as ours from runs' --format csv
n,ours
3,1
$ rethink query 'select max(value) < 9 as ours from final' --format csv
ours
1
$ rethink query 'select * from mine'
unsafe use of json_extract()
  select * from mine
[exit 2]
$ rethink query 'select * from worse'
<any>writefile<any>
...
[exit 2]

# A linked folder of requests does not belong to the store: nothing in it is answered or removed.
$ mkdir others && echo '{}' > others/mine.json && echo '{}' > others/a.answer && rm -rf store/requests && ln -s "$PWD/others" store/requests
$ rethink gc 2>&1 | sed 's/^[0-9:.]* //'; rethink run './$(touch ran);.yaml' 2>&1 | sed 's/^[0-9:.]* //'; ls others
warning <any>store/requests: is a link, which is not followed: no request is read or written there; remove the link
removed <n> MB in 0 places
info <any>rethink.db: had no checksums and was made again from the trials' folders; the old one is now <any>/rethink.db.format1
warning <any>store/requests: is a link, which is not followed: no request is read or written there; remove the link
of 3 trials done
next: rethink table t
a.answer
mine.json
