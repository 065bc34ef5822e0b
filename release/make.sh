#!/bin/sh
# Makes the files for people who do not build, below build/release_files: a Python wheel, the packed bundle for any folder, and
# the SHA-256 of both.
#   make.sh BUILD VERSION TARGET
set -eu
build=$1
version=$2
target=$3
here=$(cd "$(dirname "$0")" && pwd)
command -v zstd >/dev/null || { echo "release: needs zstd (apt-get install zstd)" >&2; exit 3; }
rm -rf "$target"
mkdir -p "$target"
name=rethink-$version-linux-x86_64
sh "$here/../cmake/bundle.sh" "$build" "$target/$name"
python3 "$here/wheel.py" "$target/$name" "$version" "$target"
# The script that downloads the pinned LibTorch, by pip, into the place where the wrapper looks.
cp "$here/../cmake/deps.sh" "$target/$name/get_libtorch.sh"
cp "$here/../cmake/wheels.txt" "$here/../cmake/wheels_cuda.txt" "$target/$name/"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='2020-01-01 00:00Z' -C "$target" -cf - "$name" | zstd -q -19 -o "$target/$name.tar.zst"
rm -rf "${target:?}/$name"
(cd "$target" && sha256sum *.whl *.tar.zst > SHA256SUMS && cat SHA256SUMS)
