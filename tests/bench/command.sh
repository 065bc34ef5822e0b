#!/bin/sh
# Overhead of a trial of a user's program: one trial compared with `sh -c`, many trials of `true` compared with other
# runners of commands, and the speed of reading lines of events. Missing runners are left out.
# usage: command.sh RETHINK [TRIALS [LINES]]
set -eu
rethink=$(realpath "$1")
trials=${2:-1000}
lines=${3:-100000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '# nothing' >none.sh
now() { date +%s%N; }

# NAME COMMAND...: milliseconds for each of the trials.
time_each() {
  name=$1
  shift
  begin=$(now)
  "$@" >out.txt 2>&1 || { echo "$name failed:"; tail -3 out.txt; return; }
  end=$(now)
  echo "$begin $end" | awk -v n="$trials" -v name="$name" '{printf "%-22s %8.2f ms each\n", name, ($2 - $1) / 1e6 / n}'
}

# Is the program there?
has() { command -v "$1" >/dev/null; }

echo "$trials times the program 'true', two at once"
# shellcheck disable=SC2016  # for the inner shell
time_each 'sh -c, one by one' sh -c 'i=0; while [ $i -lt '"$trials"' ]; do sh -c "exec true"; i=$((i + 1)); done'
printf 'sweep: own\nstages:\n  t: {job: command, run: ["true"], code: [none.sh]}\n' >own.yaml
time_each rethink "$rethink" run own.yaml --seeds "0..$((trials - 1))" --slots 2 --quiet
time_each 'rethink, all done' "$rethink" run own.yaml --seeds "0..$((trials - 1))" --slots 2 --quiet
if has parallel; then
  time_each 'GNU parallel' sh -c "seq $trials | parallel --will-cite -j 2 --joblog log true"
  time_each 'GNU parallel, all done' sh -c "seq $trials | parallel --will-cite -j 2 --joblog log --resume true"
else
  echo 'GNU parallel is not installed'
fi
if has doit; then
  printf 'def task_t():\n    for i in range(%d):\n        yield {"name": str(i), "actions": ["true && touch t%%d" %% i], "targets": ["t%%d" %% i], "file_dep": ["none.sh"]}\n' "$trials" >dodo.py
  time_each doit doit -n 2
  time_each 'doit, all done' doit -n 2
else
  echo 'doit is not installed'
fi
if has snakemake; then
  printf 'rule all:\n    input: expand("s{i}", i=range(%d))\nrule t:\n    output: "s{i}"\n    shell: "true && touch {output}"\n' "$trials" >Snakefile
  time_each Snakemake snakemake --cores 2 --quiet
  time_each 'Snakemake, all done' snakemake --cores 2 --quiet
else
  echo 'Snakemake is not installed'
fi

cat >say.awk <<'END'
BEGIN { for (i = 1; i <= lines; i++) printf "{\"metric\": \"dev/acc\", \"step\": %d, \"value\": %d.5}\n", i, i >> ENVIRON["RETHINK_EVENTS"] }
END
printf 'sweep: say\nstages:\n  t: {job: command, run: [awk, -v, lines=%d, -f, say.awk], code: [say.awk], metrics: {dev/acc: max}}\n' "$lines" >say.yaml
begin=$(now)
"$rethink" run say.yaml --store say --quiet
end=$(now)
echo "$begin $end" | awk -v n="$lines" '{printf "%d lines of events: %.0f a second, start and end of the trial included\n", n, n / (($2 - $1) / 1e9)}'
