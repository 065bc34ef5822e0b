#!/bin/sh
# Makes the bundle, and uses it like on a machine without LibTorch and Python: a shipped sweep is planned, a sweep of a
# program runs and is queried, another job is refused.
#   run.sh BUILD FOLDER
set -eu
build=$1
folder=$2
rm -rf "$folder"
sh cmake/bundle.sh "$build" "$folder/bundle"
cd "$folder"
mkdir bin
for program in basename dirname readlink sed paste sh uname; do ln -s "$(command -v "$program")" bin/; done
rethink() { env -i HOME="$folder" PATH="$folder/bin" bundle/rethink "$@"; }

rethink plan demo/diag_discount >/dev/null
cat >own.yaml <<'YAML'
sweep: own
stages:
  train:
    job: command
    run: [sh, -c, "echo '{{\"metric\": \"dev/acc\", \"step\": 1, \"value\": 2}}' >> $RETHINK_EVENTS"]
    code: [own.yaml]
    metrics: {dev/acc: max}
YAML
rethink run own.yaml --quiet
rethink query "select value from metric where name = 'acc@last'" --format csv | grep -qx '2.0'
code=0
rethink run demo/diag_discount --profile smoke >said 2>&1 || code=$?
if [ "$code" != 3 ] || ! grep -q 'needs LibTorch: no LibTorch was found' said; then
  echo "bundle: got exit code $code, expected 3 and a message about LibTorch:"
  cat said
  exit 1
fi
