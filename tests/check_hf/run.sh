#!/bin/sh
# Compares the encoder, what is exported of it, and the tokenizer with Hugging Face's. The first run makes a Python
# environment in build/check_hf/venv (3 GB with torch). RETHINK_DATA: texts to compare on, where there are any.
#   run.sh BIN    the folder of the programs
set -eu

bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
folder=build/check_hf
if ! cmp -s tests/check_hf/requirements.txt $folder/installed.txt; then
  mkdir -p $folder
  [ -x $folder/venv/bin/python ] || python3 -m venv $folder/venv
  $folder/venv/bin/python -m pip install --quiet --disable-pip-version-check -r tests/check_hf/requirements.txt
  cp tests/check_hf/requirements.txt $folder/installed.txt
fi
for check in encoder exported wordpiece; do
  echo "== $check"
  $folder/venv/bin/python tests/check_hf/$check.py --rethink "$bin/rethink"
done
echo "== programs of docs/how_to/command.md"
tests/command_examples/run.sh "$bin" "$PWD/$folder/venv/bin/python"
echo "== pages of docs/how_to, with pandas"
tests/how_to/run.sh "$bin" "$PWD/$folder/venv/bin/python"
