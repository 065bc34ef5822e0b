#!/bin/sh
# Makes a relocatable folder with both programs, the plug-in, the sweeps and specs, and every needed library except
# LibTorch and libstdc++, for clusters and GPU machines without our packages. Sweeps of `job: command` run
# without LibTorch.
#   bundle.sh BUILD TARGET
# On such a machine: RETHINK_LIBTORCH=/path/to/torch TARGET/rethink ...
set -eu
build=$1
target=$2
libtorch=$(ldd "$build/bin/rethink-worker" | sed -n 's,.*=> \(.*\)/libtorch_cpu.so .*,\1,p')
rm -rf "$target"
mkdir -p "$target/bin" "$target/lib" "$target/share/rethink"
for program in rethink rethink-worker librethink_cuda.so librethink_sentencepiece.so kernels_check; do
  [ -f "$build/bin/$program" ] && cp "$build/bin/$program" "$target/bin/"
done
cp LICENSE NOTICE "$target/share/rethink/"
cp release/python/rethink/_trial.py "$target/share/rethink/rethink.py"
for folder in experiments/sweeps experiments/presets experiments/weights experiments/templates plots/tables plots/figures plots/claims; do
  mkdir -p "$target/share/rethink/$folder"
  cp -r "$folder/." "$target/share/rethink/$folder/"
done
programs=$(cd "$target/bin" && ls)
# Debian's file with the license of each package that is linked in (NOTICE) or, below, copied.
licenses=$target/share/rethink/licenses
mkdir "$licenses"
keep_licenses() { # PACKAGE...
  for package in "$@"; do
    cp -L "/usr/share/doc/$package/copyright" "$licenses/$package" || {
      echo "bundle: no license of the Debian package '$package'; expected in /usr/share/doc/$package/copyright" >&2
      exit 3
    }
  done
}
package_of() { dpkg -S "*/$(basename "$(readlink -f "$1")")" | sed 's/:.*//;q'; }
keep_licenses libboost-program-options-dev libfmt-dev libicu-dev libre2-dev libsqlite3-dev libsqlitecpp-dev libssl-dev \
  libyaml-cpp-dev nlohmann-json3-dev "$(package_of "$(g++ -print-file-name=libstdc++.a)")"
for program in $programs; do strip --strip-unneeded "$target/bin/$program"; done

# Not copied: the C library, libstdc++ (PyTorch brings a new enough one) and LibTorch with its libraries.
system='^(ld-linux|libc\.so|libm\.so|libdl\.so|librt\.so|libpthread\.so|libresolv\.so|libutil\.so|libstdc\+\+|libgcc_s|libgomp|linux-vdso)'
torch='^(libtorch|libc10|libcuda|libcudart|libcupti|libcu[a-z]*\.so\.1[23]|libnv)'
# Libraries that datasets/files/shared_library.h opens on demand. Of libarchive only the called functions: all of
# libarchive needs glibc 2.36, and ICU, libxml2 and ten others for formats that no data set has.
curl=$(PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*(.*x86-64).* => \(.*\/libcurl\.so\.4\)$/\1/p')
archive=$(PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*(.*x86-64).* => \(.*\/libarchive\.so\.13\)$/\1/p')
cp -L "$curl" "$target/lib/"
called=$(sed -n 's/.*library\["\(archive_[a-z_]*\)"\].*/-Wl,-u,\1/p' datasets/files/data_files.cpp)
# shellcheck disable=SC2046,SC2086  # lists of words
cc -shared -Wl,-soname,libarchive.so.13 $called -o "$target/lib/libarchive.so.13" "$(dirname "$archive")/libarchive.a" \
  -Wl,--as-needed $(ldd "$archive" | sed -n 's/.* => \([^ ]*\) .*/\1/p')
for library in "$curl" "$archive"; do keep_licenses "$(package_of "$library")"; done
for file in "$target/bin/rethink" "$target/bin/rethink-worker" "$target/bin/librethink_sentencepiece.so" "$target/lib/libarchive.so.13" "$curl"; do
  ldd "$file" | sed -n 's/^\t\([^ ]*\) => \([^ ]*\) .*/\1 \2/p' | while read -r name path; do
    if [ -f "$target/lib/$name" ] || echo "$name" | grep -qE "$system|$torch"; then continue; fi
    cp -L "$path" "$target/lib/$name"
    keep_licenses "$(package_of "$path")"
  done
done
chmod u+w "$target"/lib/*
for program in $programs; do patchelf --set-rpath '$ORIGIN/../lib' "$target/bin/$program"; done
cp "$build/bin/schema.json" "$target/bin/"
sh cmake/commit.sh "$target/bin/rethink.commit"
for library in "$target"/lib/*; do patchelf --set-rpath '$ORIGIN' "$library"; done

cat > "$target/rethink" <<'WRAPPER'
#!/bin/sh
# Puts the LibTorch of RETHINK_LIBTORCH (a torch/ folder) on the library path and starts the program of the same
# name.
here=$(dirname "$(readlink -f "$0")")
torch=${RETHINK_LIBTORCH:-$(python3 -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2>/dev/null)}
cache=${RETHINK_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/rethink}
if [ -z "$torch" ]; then # as get_libtorch.sh leaves it
  for folder in "$cache"/libtorch-@LIBTORCH@*/torch; do
    [ ! -d "$folder" ] || torch=$folder
  done
fi
program=$(basename "$0")
needed=@LIBTORCH@
version=$(sed -n 's/^#define TORCH_VERSION_M[AI][JN]OR \([0-9]*\)/\1/p' "$torch/include/torch/headeronly/version.h" 2>/dev/null | paste -s -d .)
wrong=
if [ -z "$torch" ]; then
  wrong="no LibTorch was found: RETHINK_LIBTORCH is not set, python3 has no package torch, and $cache has no LibTorch"
elif [ ! -f "$torch/lib/libtorch_cpu.so" ]; then
  wrong="no LibTorch in '$torch': lib/libtorch_cpu.so is missing there"
elif [ "$version" != "$needed" ]; then
  wrong="the LibTorch in '$torch' is of version ${version:-unknown}"
fi
unset RETHINK_LIBTORCH_MISSING
if [ -z "$wrong" ]; then
  path=$torch/lib
  for folder in "$torch"/../nvidia/*/lib; do # what comes with PyTorch for CUDA; the plug-in asks for some of it first
    [ ! -d "$folder" ] || path=$path:$folder
  done
  LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
else
  missing="$wrong; expected LibTorch $needed. Do one of these:
  pip install torch==$needed.*   # for the python3 on PATH"
  [ ! -f "$here/get_libtorch.sh" ] || missing="$missing
  $here/get_libtorch.sh libtorch   # downloads it with pip into $cache"
  missing="$missing
  export RETHINK_LIBTORCH=/path/to/torch   # the folder torch of an installed PyTorch $needed"
  if [ "$program" = rethink ]; then # only the program knows whether LibTorch is needed: job: command runs without it
    RETHINK_LIBTORCH_MISSING=$missing
    export RETHINK_LIBTORCH_MISSING
  else
    echo "$program needs LibTorch: $missing" >&2
    exit 3
  fi
fi
exec "$here/bin/$program" "$@"
WRAPPER
needed=$(sed -n 's/^#define TORCH_VERSION_M[AI][JN]OR \([0-9]*\)/\1/p' "$libtorch/../include/torch/headeronly/version.h" | paste -s -d .)
sed -i "s/@LIBTORCH@/$needed/g" "$target/rethink"
chmod +x "$target/rethink"
ln -s rethink "$target/rethink-worker"
ln -s rethink "$target/kernels_check"

# RHEL 9 and its derivatives have glibc 2.34 and GCC 11's libstdc++, Ubuntu 22.04 has 2.35.
newest() { # PREFIX: the newest version of it that any file needs
  find "$target/bin" "$target/lib" -type f -print0 | xargs -0 objdump -T 2>/dev/null | grep -o "\<$1[0-9.]*" | sort -uV | tail -n 1
}
at_most() { # NEEDED NEWEST
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$2" ] || {
    echo "bundle: it needs $1, expected $2 or older" >&2
    exit 3
  }
}
glibc=$(newest GLIBC_)
missing=$(LD_LIBRARY_PATH=$libtorch ldd "$target/bin/rethink" "$target/bin/rethink-worker" | grep 'not found' || true)
megabytes=$(du -sm --apparent-size "$target" | cut -f 1)
echo "$target: $megabytes MB, needs $glibc, and a LibTorch for jobs other than 'command'"
[ -z "$missing" ] || { echo "bundle: these libraries are missing: $missing" >&2; exit 3; }
[ "$megabytes" -lt 60 ] || { echo "bundle: got $megabytes MB, expected less than 60" >&2; exit 3; }
at_most "$glibc" GLIBC_2.34
at_most "$(newest GLIBCXX_)" GLIBCXX_3.4.29
