#!/bin/sh
# Lists places that break the house rules, and fails where there is one.
set -eu
# Files in which a name, kind or type may be compared with a word: these words belong to a format or to the file's subject, and
# are not names of plug-ins.
not_plugins='
app/build_hash core/store_files core/format experiments/attempt/event_log.cpp results/store/ingest.cpp app/driver/commands/logs.cpp
  lines of files and events
core/config/rules.cpp
  kinds of rules, which this file evaluates
results/database/sql_functions.cpp results/query/where.cpp experiments/run/gpu.cpp experiments/run/attempts/attempt_endings.cpp experiments/run/pilots/pilot_ledger.cpp
  words of SQLite, NVIDIA and events
app/driver/cli/piped_sweep.cpp app/driver/main.cpp experiments/plan/read/library.cpp
  standard input and options for help
app/driver/commands/describe.cpp app/driver/commands/export.cpp app/worker/encoder_commands.cpp
  keys of files, kinds of artifacts; `dense` is what a BERT of others has
experiments/plan/expand/expand_sweep.cpp experiments/plan/expand/stage_points.cpp plots/table/cells/item_metric.cpp
  kinds of inputs and outcomes
experiments/train/batches/encoder_input.cpp experiments/train/evaluation.cpp
  an option and a score of the room itself
models/attention/triplet_permutations.cpp
  the five permutations of models/permutations, which are no registry
'
paths=$(printf '%s' "$not_plugins" | sed -n 's/^\([a-z].*\)/\1/p')
excluded=
for path in $paths; do
  [ -e "$path" ] || { echo "cmake/house_rules.sh names $path, which is not there" >&2; exit 1; }
  excluded="$excluded :!$path"
done
found=0
look() { git grep -nE "$@" && found=1 || true; }
look '\b(TODO|FIXME|XXX|HACK)\b' -- '*.cpp' '*.h' '*.cu' '*.cuh' '*.cmake'
look 'torch/torch\.h' -- '*.cpp' '*.h' '*.cu' '*.cuh'
# shellcheck disable=SC2086
look 'if *\(.*\b(name|kind|type|variant)_? *== *"|\b(name|kind|type|variant)_? *== *"[^"]*" *\?' -- '*.cpp' '*.h' ':!tests' $excluded
# SQL takes the stored words of states and outcomes from core/trial_state.h, by sql_text() or a parameter.
look "'(waiting|ready|running|done|diverged|failed|cancelled|blocked|oom|killed|timeout|lost|interrupted|fenced)'" \
  -- '*.cpp' '*.h' ':!tests'
# One version: of the programs and the wheel, of the citation, and of a heading in the changelog.
version=$(sed -n 's/^project(rethink VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "^version: $version\$" CITATION.cff || { echo "CITATION.cff: expected 'version: $version', as in CMakeLists.txt"; found=1; }
grep -q "^version = \"$version\"$" release/python/pyproject.toml || { echo "release/python/pyproject.toml: expected version = \"$version\"; CMakeLists.txt has this version"; found=1; }
grep -q "^## $version (20" CHANGELOG.md || { echo "CHANGELOG.md: expected the heading '## $version (DATE)'; CMakeLists.txt has this version"; found=1; }
# Files and names in documents and comments exist.
python3 cmake/check_docs.py || found=1
exit $found
