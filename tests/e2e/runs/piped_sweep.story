# A sweep through a pipe is planned unchanged, and kept in the place of its run, so that it can be resumed.
=== template.yaml
sweep: by/hand
seeds: [0, 1]
stages:
  train: {job: noop, steps: 2, tag: "TAG"}
===
$ sed s/TAG/x/ template.yaml | rethink plan - --check; ls store/piped 2>/dev/null || echo nothing is kept
nothing is kept

$ sed s/TAG/x/ template.yaml | rethink run - --max-trials 1 --quiet
1 of 2 trials run, 1 left (--max-trials 1); the same command continues

$ tail -1 store/piped/by/hand.yaml; rethink run store/piped/by/hand.yaml --quiet; rethink query --show n --by tag --format csv
  train: {job: noop, steps: 2, tag: "x"}
tag,n
x,2

$ bash -c 'rethink run <(sed s/TAG/x/ template.yaml)' 2>&1 | grep done
2 of 2 trials done

# A file with a slip does not replace the kept one.
$ sed 's/TAG/x/; s/steps/stepz/' template.yaml | rethink run - 2>&1 | head -1; tail -1 store/piped/by/hand.yaml
standard input:4:22: error: unknown key 'stepz'; did you mean 'steps'?<any>
  train: {job: noop, steps: 2, tag: "x"}

# Its mistakes are reported as for any sweep, with the name of the pipe; nothing remains in the temporary folder.
$ echo 'sweep: [' | rethink plan -
standard input:1:8: error: this '[' is not closed
  sweep: [
         ^
[exit 2]

$ sed s/TAG/x/ template.yaml > one; bash -c 'rethink plan <(cat one) <(cat one)' 2>&1 | sed 's/fd.[0-9]*/fd/'; rm one
/dev/fd: the second sweep 'by/hand' that comes through a pipe; give each a name of its own

=== draws.yaml
sweep: draws
stages:
  train: {job: noop, random: {count: 20, steps: {integer: [1, 3]}}}
===
$ mkdir scratch; for name in - /dev/stdin; do TMPDIR=scratch rethink plan $name < draws.yaml 2>&1 >/dev/null; cat draws.yaml | TMPDIR=scratch rethink plan $name 2>&1 >/dev/null; done
standard input:3:30: note: 20 random draws of stage 'train' gave 3 different points; a draw that repeats an earlier one is left out
standard input:3:30: note: 20 random draws of stage 'train' gave 3 different points; a draw that repeats an earlier one is left out
/dev/stdin:3:30: note: 20 random draws of stage 'train' gave 3 different points; a draw that repeats an earlier one is left out
standard input:3:30: note: 20 random draws of stage 'train' gave 3 different points; a draw that repeats an earlier one is left out

$ cat draws.yaml | TMPDIR=scratch rethink run - --quiet --max-trials 0 2>&1 | grep note
standard input:3:30: note: 20 random draws of stage 'train' gave 3 different points; a draw that repeats an earlier one is left out

$ TMPDIR=scratch bash -c 'rethink plan <(sed s/integer/integr/ draws.yaml)' 2>&1 | sed 's/fd.[0-9]*/fd/' | head -1
/dev/fd:3:49: error: <any>

$ rmdir scratch; rm draws.yaml

# Two sweeps have two files, whatever their names are, and neither needs a folder in the place of the other's file.
$ for name in v1.0 v1_0 .hid _hid /x _x a a.yaml/b; do echo "{sweep: $name, stages: {t: {job: noop, steps: 1, tag: \"$name\"}}}" | rethink run - --quiet --store names; done; find names/piped -name '*.yaml' -type f | wc -l; cat names/piped/v1.0.yaml names/piped/v1_0.yaml
8
{sweep: v1.0, stages: {t: {job: noop, steps: 1, tag: "v1.0"}}}
{sweep: v1_0, stages: {t: {job: noop, steps: 1, tag: "v1_0"}}}
$ echo '{sweep: .hid, stages: {t: {job: noop, steps: 1, tag: other}}}' | rethink run - --quiet --store names; find names/piped -type f | wc -l; grep -rl other names/piped
8
names/piped/_.hid-<any>.yaml

# The folder `piped` is a link: a copy of the store leaves the original's file unchanged.
$ p() { echo "{sweep: q, stages: {t: {job: noop, steps: $1}}}"; }; p 2 | rethink run - --quiet --store a; mv a/piped kept; ln -s "$PWD/kept" a/piped; cp -r a b; p 3 | rethink run - --quiet --store b; cat kept/q.yaml
<any>b/piped: is a link to <any>kept, which may belong to another store <any>
{sweep: q, stages: {t: {job: noop, steps: 2}}}
$ for command in 'db check' gc 'db rebuild' 'run kept/q.yaml' doctor; do rethink $command --store b; done 2>&1 | grep -c 'b/piped: is a link to'
5
$ echo '{sweep: q, stages: {t: {job: noop, steps: 4}}}' | rethink run - --quiet --store a; cat kept/q.yaml; ls -A kept
{sweep: q, stages: {t: {job: noop, steps: 4}}}
.store
q.yaml
$ rm b/piped; mkdir -p b/piped; ln -s "$PWD/kept" b/piped/by; echo '{sweep: by/q, stages: {t: {job: noop, steps: 5}}}' | rethink run - --quiet --store b; rethink db check --store b; cat kept/q.yaml
<any>b/piped/by: is a link to <any>kept, and rethink follows no link below piped/; replace it by the folder that it names, or remove it
<any>b/piped/by: is a link to <any>kept, and rethink follows no link below piped/; replace it by the folder that it names, or remove it
{sweep: q, stages: {t: {job: noop, steps: 4}}}
$ rm -r b/piped; touch b/piped; echo '{sweep: q, stages: {t: {job: noop, steps: 5}}}' | rethink run - --quiet --store b
<any>b/piped: is a file, expected a folder; move it away
[exit 3]
$ rm b/piped; mkfifo b/cache; HOME= XDG_CACHE_HOME= rethink run kept/q.yaml --quiet --store b; rm b/cache; mkdir elsewhere; ln -s "$PWD/elsewhere" b/cache; rethink db check --store b
<any>b/cache: is a named pipe, expected a folder; move it away
note: <any>b/cache: is a link to <any>elsewhere; a copy of the store shares this cache
the database is sound <any>, except for what the notes list
$ rm -r a b names kept elsewhere

# Paths within it begin in the working folder, also when the kept file is resumed.
=== other.yaml
sweep: other
stages:
  base: {job: noop, steps: 1, tag: used}
===
=== uses.yaml
sweep: uses
stages:
  first: {use: other.yaml#base}
  second: {job: noop, steps: 1, tag: second, needs: {init: first}}
===
$ rethink run - --quiet < uses.yaml; rethink run store/piped/uses.yaml --quiet; rethink query --show n --by tag --format csv | grep -E 'used|second'
second,1
used,1

$ sed s/other/none/ uses.yaml | rethink plan - 2>&1 | head -1
standard input:3:16: error: 'use': there is no file none.yaml
