# Files with more trials than anybody can run end in a message at once, whatever their expansion is. The test measures
# processor time, which other programs on the machine do not change.
# not under ODD_PLACE, ONE_CORE, BARE: the limits are the same there
=== grid.yaml
sweep: grid
stages:
  train:
    job: noop
    grid:
      steps: {from: 1, to: 100, step: 1}
      sleep_ms: {from: 1, to: 100, step: 1}
      allocate_mb: {from: 1, to: 100, step: 1}
      checkpoint_mb: {from: 1, to: 100, step: 1}
      tag: {from: 1, to: 100, step: 1}
===
$ ulimit -t $CPU_SECONDS; rethink plan grid.yaml
grid.yaml:3:3: error: stage 'train' makes 10000000000 points (<any>), expected at most 100000, before 'exclude'; take fewer values or axes
...
[exit 2]

$ { echo 'a: &a "'; seq 30000; echo '"'; printf 'b: ['; yes '*a,' | head -20000; echo ']'; } >laughs.yaml; ulimit -t $CPU_SECONDS; rethink plan laughs.yaml
laughs.yaml:<n>:1: error: anchors and aliases expand to more than 100000 nodes or 4 MiB of text
...
[exit 2]

$ { printf 'sweep: s\nstages:\n'; for s in $(seq 100); do printf '  s%s:\n    job: noop\n' $s; seq -f '    stepz%g: 1' 1900; done; } >unknown.yaml; ulimit -t $CPU_SECONDS; rethink plan unknown.yaml 2>&1 | tail -1
... and <n> more

$ ulimit -t $CPU_SECONDS; rethink plan grid.yaml --seeds 0..9223372036854775807
--seeds: got '0..9223372036854775807', expected at most 100000 seeds
[exit 2]

$ { printf '{'; yes '"",' | head -60000 | tr -d '\n'; } >quotes.yaml; ulimit -t $CPU_SECONDS; rethink plan quotes.yaml
quotes.yaml:1:1: error: this '{' is not closed
...
[exit 2]

$ yes '[' | head -200000 | tr -d '\n' >deep.yaml; ulimit -t $CPU_SECONDS; rethink plan deep.yaml
deep.yaml:1:101: error: nested deeper than 100 levels
...
[exit 2]

# 90,000 points, from which 2,000 conditions each remove one, are a large sweep and no mistake.
$ { printf 'sweep: s\nstages:\n  train:\n    job: noop\n    grid: {steps: {from: 1, to: 300, step: 1}, tag: {from: 1, to: 300, step: 1}}\n    exclude:\n'; for i in 1 2 3 4 5 6 7 8 9 10; do seq -f "    - {steps: $i, tag: %g}" 200; done; } >many.yaml; ulimit -t $CPU_SECONDS; rethink plan many.yaml | sed -n 2p
s train <any> 88000 <any>

$ { printf 'sweep: s\nstages:\n  train:\n    job: noop\n    grid: {steps: {from: 1, to: 300, step: 1}, tag: {from: 1, to: 300, step: 1}}\n    exclude: {steps: ['; seq -s, 300; printf '], tag: ['; seq -s, 60000; echo ']}'; } >all.yaml; ulimit -t $CPU_SECONDS; rethink plan all.yaml
all.yaml:7:<n>: error: 'exclude': no trial has tag = 301<any>
...
[exit 2]

$ { printf 'sweep: s\nstages:\n  train:\n    job: noop\n    grid: {steps: {from: 1, to: 300, step: 1}, tag: {from: 1, to: 300, step: 1}}\n    exclude:\n'; seq -f '    - {stepz%g: 1}' 2000; } >keys.yaml; ulimit -t $CPU_SECONDS; rethink plan keys.yaml
keys.yaml:57:8: error: more than 50 different keys in the conditions of one list
...
[exit 2]

$ { printf 'sweep: s\nstages:\n  s0: {job: noop, grid: {steps: {from: 1, to: 190, step: 1}}}\n'; for i in $(seq 998); do echo "  s$i: {job: noop, needs: {init: s$((i - 1))}}"; done; } >chain.yaml; ulimit -t $CPU_SECONDS; rethink plan chain.yaml
chain.yaml:104:3: error: stage 's101' has more than 100 stages before it, which it needs directly or indirectly
...
[exit 2]

$ { printf 'sweep: s\nstages:\n'; for i in $(seq 250); do echo "  s$i: {job: noop, tag: x$i, grid: {steps: {from: 1, to: 190, step: 1}}}"; done; } >flat.yaml; ulimit -t $CPU_SECONDS; rethink plan flat.yaml | grep "^s s250 "
s s250 <any> 190 <any>

$ { printf 'sweep: s\nseeds: ['; seq -s, 90000; printf ']\nstages:\n  a: {job: noop}\n  b: {job: noop, needs: {init: a}, seeds: ['; seq -s, 90001 180000; echo ']}'; } >seeds.yaml; ulimit -t $CPU_SECONDS; rethink plan seeds.yaml 2>&1 | tail -1
... and <n> more

$ { printf 'sweep: s\nstages:\n  a: {job: noop, grid: {steps: {from: 1, to: 50000, step: 1}}}\nprofiles:\n  p: {stages.a: {only: {steps: ['; seq -s, -f x%g 50000; echo ']}}}'; } >only.yaml; ulimit -t $CPU_SECONDS; rethink plan only.yaml 2>&1 | tail -1
... and <n> more

$ { printf 'sweep: s\nstages:\n  a: {job: noop, grid: {steps: {from: 1, to: 1000, step: 1}, tag: {from: 1, to: 90, step: 1}}}\nprofiles:\n'; seq -f '  p%g: {stages.a.sleep_ms: 0}' 60; } >profiles.yaml; ulimit -t $CPU_SECONDS; rethink plan profiles.yaml | sed -n 2p
s a <any> 90000 <any>

$ { printf 'sweep: s\nstages:\n  a: {job: noop}\nprofiles:\n'; for p in $(seq 100); do echo "  p$p: {stages.a: {only: {"; seq -f 'x%g: 1,' 1500; echo '}}}'; done; } >eight.yaml; ulimit -t $CPU_SECONDS; rethink plan eight.yaml 2>&1 | tail -1
... and <n> more

$ { printf 'sweep: s\nstages:\n  a: {job: noop, random: {count: 100000, '; seq -f 'k%g: {uniform: [0, 1]},' 1900; echo '}}'; } >wide.yaml; ulimit -t $CPU_SECONDS; rethink plan wide.yaml
wide.yaml:3:<n>: error: 100000 points of 1900 keys each, expected at most 300000 values on one axis
...
[exit 2]

$ { printf 'sweep: s\nstages:\n  a: {job: noop, grid: {steps: [1, 2]}}\n  b: {job: select, needs: {from: a}, by: dev/score, over: ['; seq -s, -f x%g 100000; echo ']}'; } >over.yaml; ulimit -t $CPU_SECONDS; rethink plan over.yaml
over.yaml:4:<n>: error: 'over' names 100000 axes, expected at most 100
...
[exit 2]

$ { printf 'sweep: s\nstages:\n  a: {job: noop, grid: {steps: {from: 1, to: 200, step: 1}, tag: {from: 1, to: 200, step: 1}}}\n  b: {job: select, needs: {from: a}, by: dev/score, over: [steps], cases: {x: {'; seq -s, -f 'x%g: {}' 50; echo '}}}'; } >candidates.yaml; ulimit -t $CPU_SECONDS; rethink plan candidates.yaml
candidates.yaml:4:3: error: the selects up to stage 'b' choose among 4000000 trials and labels of 'over' in all, expected at most 2000000; narrow what they need by 'where'
...
[exit 2]

$ { printf 'sweep: s\nstages:\n  a: {job: noop, grid: {steps: {from: 1, to: 499, step: 1}, tag: {from: 1, to: 200, step: 1}}}\n'; } >cells.yaml; printf 'table: t\nsweep: cells.yaml\nstage: a\nmetric: dev/score\nrows: {axis: steps}\ncolumns: [{axis: tag}, {axis: tag}]\n' >table.yaml; ulimit -t $CPU_SECONDS; rethink table table.yaml
table.yaml:5:7: error: table of 499 x 400 cells, expected at most 100000<any>
...
[exit 2]

$ { printf 'figure: f\nkind: curves\nsweep: cells.yaml\nstage: a\nmetric: dev/score\nseries:\n'; seq -f '  - {label: x%g}' 20000; } >curves.yaml; ulimit -t $CPU_SECONDS; rethink figure curves.yaml
curves.yaml:7:3: error: 20000 series, expected at most 1000
...
[exit 2]
