# Text in another user's sweep, specs and store that a terminal would obey is shown as text, on a terminal (`script`
# makes one) and through a pipe.
=== plots/tables/evil.yaml
table: evil
title: "\e]0;title\a of a \e[31mstranger"
sweep: evil.yaml
stage: train
rows: [{label: "\e[2Jrow"}]
columns: [{label: "\e[Hscore", metric: dev/score}]
direction: max
seeds: 1
===
=== plots/figures/evil.yaml
figure: evil
title: "\e[31mred"
kind: curves
sweep: evil.yaml
stage: train
metric: train/loss
series: [{label: "\e[31mred", where: {arm: "\e[31mred"}}]
===
=== evil.yaml
sweep: evil
seeds: [0]
stages:
  train:
    job: noop
    steps: 2
    cases:
      arm:
        "\e[31mred": {tag: "\e]0;owned\a"}
        "C1 \u009b31m": {tag: b}
===
$ rethink run evil.yaml --quiet
# Version 0.1.0 wrote such a database, without checksums of pages.
$ $FIXTURES/to_format_1.sh store && sqlite3 store/rethink.db "update trial set message = 'x' || char(27) || '[31m', state = 'failed' where job = 'noop' and id = (select min(id) from trial)"
$ red=$(rethink query "select trial from label where value like '%red'" --format csv | tail -n 1); for command in 'plan evil.yaml' 'status --all' "show $red" "why evil" 'table evil' 'figure evil' 'report' "logs $red" "query 'select * from runs'" "query 'select * from label'" "query 'select * from label' --format csv" 'curve train/loss --by tag' 'db check' 'describe noop' 'gc --dry-run' "export $red out" "diff $red $red" 'db check --hashes' "mask $red" 'claims evil' 'completion bash' 'db merge other' 'score submission evil new'; do script -qec "rethink $command" /dev/null < /dev/null > shown; grep -q "$(printf '\033[][][23H0]')" shown && echo "obeyed: $command"; grep -q "$(printf '\302\233')" shown && echo "obeyed in C1: $command"; done; true

$ red=$(rethink query "select trial from label where value like '%red'" --format csv | tail -n 1); for command in 'plan evil.yaml' 'status --all' "show $red" "why evil" 'table evil' 'figure evil' "logs $red" 'curve train/loss --by tag' 'db check' 'rm "$(printf "\033[31m")" --dry-run' 'db snapshot "$(printf "\033[31m.db")"' '--out "$(printf "\033[31m\351")" report' 'doctor --store "$(printf "caf\351")"' 'describe "$(printf "\302\233")"'; do eval "rethink $command" > shown 2>&1 < /dev/null; grep -aq "$(printf '\033')" shown && echo "obeyed: $command"; grep -aq "$(printf '\302\233')" shown && echo "obeyed in C1: $command"; iconv -f UTF-8 -t UTF-8 shown > /dev/null || echo "not UTF-8: $command"; done; true

# Such text is shown, not left out (rows of tables have a space for each of the first kind). Output formats for data have it unchanged.
$ script -qec "rethink status --all" /dev/null < /dev/null | grep -o 'C1 .*31m'
C1 \u009b31m seed 0  0.0 s: x\x1b[31m
$ rethink query 'select value from label order by 1' --format csv | sed -n 2p | od -An -c | tr -s ' '
 033 [ 3 1 m r e d \n

$ rethink status --all | grep -o 'C1 .*31m' | head -n 1
C1 \u009b31m seed 0  0.0 s: x\x1b[31m
$ mkdir stranger; rethink db snapshot "$(printf 'stranger/\033[31m.db')" | cat
<any>stranger/\x1b[31m.db<any>

# A run makes a database without checksums again.
$ script -qec "rethink run evil.yaml" /dev/null < /dev/null > shown; grep -c "$(printf '\033[][][23H0]')\|$(printf '\302\233')" shown
0
[exit 1]
# Commands that change states come last.
$ for command in 'cancel evil' 'retry evil' 'run evil.yaml' 'rm evil --yes'; do script -qec "rethink $command" /dev/null < /dev/null; done > shown; grep -c "$(printf '\033[][][23H0]')\|$(printf '\302\233')" shown
0
[exit 1]
