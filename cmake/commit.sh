#!/bin/sh
# Writes the commit of this checkout into a file beside the programs, from which attempts record it. Outside of a
# checkout the file is empty. A file that would stay the same is not written.
#   commit.sh FILE
set -eu
file=$1
commit=
# The folder of a release may lie in a checkout of something else.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
  commit=$(GIT_OPTIONAL_LOCKS=0 git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null) || commit=
fi
[ -f "$file" ] && [ "$(cat "$file")" = "$commit" ] && exit 0
printf '%s\n' "$commit" >"$file"
