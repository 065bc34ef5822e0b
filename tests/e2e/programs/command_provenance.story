# Origin of the code and packages of a program's trial: `show` prints commit and diff, and tables mark numbers of several versions.
# not under BARE: it makes commits
=== train.sh
echo "{\"metric\": \"dev/acc\", \"step\": 1, \"value\": 0.5}" >> "$RETHINK_EVENTS"
echo "{\"environment\": {\"python\": \"cpython 3.11.2\", \"packages\": \"numpy 1.26.0, torch 2.$RETHINK_SEED.0\", \"torch\": \"2.$RETHINK_SEED.0\"}}" >> "$RETHINK_EVENTS"
=== own.yaml
sweep: own
seeds: [0, 1]
stages:
  train: {job: command, run: [sh, train.sh], pass: [TOKEN], metrics: {dev/acc: max}}
===
$ git init -q . && printf 'store\nhome\n' >.gitignore && git add -A && git -c user.email=a@b -c user.name=a commit -q -m first && TOKEN=hidden-value rethink run own.yaml --quiet; for trial in $(ls store/trials); do rethink show $trial | grep -E '^(commit|code  *store|diff)'; done >shown; [ "$(sed -n 's/^commit *//p' shown | sort -u)" = "$(git rev-parse HEAD | cut -c 1-12)" ] && echo the commit; cat $(sed -n 's/^diff *//p' shown | head -1)
the commit
commit <any>

# A change that is not committed is in the diff, without the value of a passed variable.
$ echo '# hidden-value' >>train.sh; rm -r store/*; TOKEN=hidden-value rethink run own.yaml --quiet; rethink show $(ls store/trials | head -1) | grep -E '^(commit|code  *store|diff)' | sed "s/$(git rev-parse HEAD | cut -c 1-12)/HEAD/"; cat store/code/*.diff
code    store/code/<any>
diff    store/code/<any>.diff
commit<any>HEAD with changes
commit <any>
diff --git a/train.sh b/train.sh
...
+# ***

# A program without code files has no diff: other files are not its code and may hold secrets.
$ mkdir none && cd none && git init -q . && echo 'KEY=first-value' >.env && printf 'sweep: none\nstages:\n  t: {job: command, run: ["true"]}\n' >none.yaml && git add -A && git -c user.email=a@b -c user.name=a commit -q -m first && echo 'KEY=second-value' >.env; rethink run none.yaml --quiet 2>/dev/null; cat store/code/*.diff; cd ..; rm -rf none
commit <any>

# The two seeds had other packages: the table marks their mean, and `show` lists them.
$ rethink table own.yaml | grep '\[a\]'; rethink show $(rethink query "select id from trial where seed = 1" --format csv | tail -1) | grep '^program'
train  0.5000 ± 0.0000 [a]
[a] several builds or machines: its trials differ in PyTorch, Python packages; their rounding may, too
program.packages  numpy 1.26.0, torch 2.1.0
program.python    cpython 3.11.2
program.torch     2.1.0

# A program reports numbers in which the arms of a table should agree, and the table marks an arm that differs.
=== arms.sh
say() { echo "{\"metric\": \"$1\", \"step\": 1, \"value\": $2}" >> "$RETHINK_EVENTS"; }
say dev/acc 0.5
say parameters $((1000 * $1))
say tokens_seen 64
=== arms.yaml
sweep: arms
stages:
  train: {job: command, run: [sh, arms.sh, "{config.size}"], code: [arms.sh], grid: {config.size: [1, 2]}, metrics: {dev/acc: max}}
===
$ rethink run arms.yaml --store arms --quiet; rethink table arms.yaml --store arms | grep '\[a\]'; rethink table arms.yaml --store arms --write-spec spec.yaml >/dev/null 2>&1; echo 'differ: [parameters]' >>spec.yaml; rethink table spec.yaml --store arms | grep -c '\[a\]'
2<any>0.5000 [a]
[a] unlike arms: parameters: 2000 against 1000 of 1
0
[exit 1]
