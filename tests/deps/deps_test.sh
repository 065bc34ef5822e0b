#!/bin/sh
# cmake/deps.sh, which is get_libtorch.sh of the archive for people who do not build: the wheels that pip downloads are unpacked into
# the cache, once. With a filled cache neither pip nor apt is called, so no network is needed. The wheel is a made-up one.
set -eu
command -v unzip > /dev/null && python3 -m pip --version > /dev/null 2>&1 || { echo "needs unzip and pip"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^version=//p' "$here/cmake/deps.sh")
mkdir -p "$folder/archive" "$folder/wheels" "$folder/offline" "$folder/home"
cp "$here/cmake/deps.sh" "$folder/archive/get_libtorch.sh"
touch "$folder/archive/packages.txt"

python3 - "$folder/wheels" "$version" <<'END'
import sys, zipfile
folder, version = sys.argv[1:]
info = f"torch-{version}.dist-info"
with zipfile.ZipFile(f"{folder}/torch-{version}-cp311-cp311-manylinux_2_28_x86_64.whl", "w") as wheel:
    for name, text in {
        "torch/lib/libtorch_cpu.so": "a library", "torch/include/torch/torch.h": "", "torch/version.py": "", "torch/nn/more.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_28_x86_64\n",
        f"{info}/RECORD": "",
    }.items():
        wheel.writestr(name, text)
END
hash=$(sha256sum "$folder"/wheels/*.whl | cut -d ' ' -f 1)
pin() { echo "torch==$version --hash=sha256:$1" > "$folder/archive/wheels.txt"; }

failed=0
fails() { echo "deps_test: $*"; failed=1; }
# A user's environment with nothing else in it.
as_user() { # VARIABLE=VALUE... COMMAND...
  env -i PATH="$PATH" PIP_NO_INDEX=1 PIP_FIND_LINKS="$folder/wheels" RETHINK_CUDA_LIBRARIES=no "$@"
}
get="sh $folder/archive/get_libtorch.sh libtorch"

# Nothing is in the cache where the wheel is not the pinned one.
pin "$(printf '%064d' 0)"
as_user HOME="$folder/home" $get > "$folder/said" 2>&1 && fails "took a wheel of another hash"
[ -z "$(find "$folder/home" -name 'libtorch*')" ] || fails "left something after a wheel of another hash"

pin "$hash"
as_user HOME="$folder/home" $get > "$folder/said" 2>&1 || { cat "$folder/said"; fails "got $?, expected 0"; }
unpacked=$folder/home/.cache/rethink/libtorch-$version
[ -f "$unpacked/torch/lib/libtorch_cpu.so" ] && [ -f "$unpacked/torch/include/torch/torch.h" ] || fails "the library is not in $unpacked"
[ ! -e "$unpacked/torch/nn" ] || fails "unpacked Python sources too"
[ "$(ls "$folder/home/.cache/rethink")" = "libtorch-$version" ] || fails "left in the cache: $(ls "$folder/home/.cache/rethink")"
as_user HOME="$folder/home" XDG_CACHE_HOME="$folder/other" $get > /dev/null 2>&1 || fails "got $? with XDG_CACHE_HOME"
[ -f "$folder/other/rethink/libtorch-$version/torch/lib/libtorch_cpu.so" ] || fails "XDG_CACHE_HOME is not used"

# A filled cache: behind a proxy that nobody answers, and with a pip and an apt-get that fail.
for program in python3 apt-get sudo; do
  printf '#!/bin/sh\necho %s "$@" >> "%s/called"\nexit 1\n' $program "$folder" > "$folder/offline/$program"
done
printf '#!/bin/sh\nprintf installed\n' > "$folder/offline/dpkg-query"
chmod +x "$folder"/offline/*
cp "$here/cmake/packages.txt" "$folder/archive"
offline() { as_user PATH="$folder/offline:$PATH" http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 HOME="$folder/home" "$@"; }
offline sh "$folder/archive/get_libtorch.sh" > "$folder/said" 2>&1 || fails "got $? with a filled cache: $(cat "$folder/said")"
[ ! -s "$folder/said" ] || fails "says with a filled cache: $(cat "$folder/said")"
[ ! -e "$folder/called" ] || fails "called with a filled cache: $(cat "$folder/called")"
# The proof that the stubs see a download.
rm "$unpacked/complete"
offline $get > /dev/null 2>&1 && fails "got 0 without a network and with an empty cache"
grep -q '^python3 -m pip download' "$folder/called" 2>/dev/null || fails "pip was not called with an empty cache"

as_user $get > "$folder/said" 2>&1 && fails "got 0 without a place for the library"
grep -q 'set HOME or RETHINK_CACHE' "$folder/said" || fails "without HOME it says: $(cat "$folder/said")"
exit $failed
