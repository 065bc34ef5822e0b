#!/bin/bash
# Proves the program on a GPU machine, part after part, and writes what it found to proof.md.
#
#   prove.sh [--minutes N] [--limit N] [--only WORD] [--out FOLDER] [--short]    in a folder of `make gpu-bundle`
#   prove.sh --rehearse [--bundle FILE] [the same]                               with the CPU in the GPU's place
#
# --minutes N   ends after N minutes (9): a part that does not fit any more is "not begun"
# --limit N     no part takes more than N seconds
# --only WORD   the parts whose names hold WORD, those that passed before too
# --out FOLDER  takes proof.md and proof.state (the folder `proof` here); a proof.state that is there goes on: what
#               passed is not run again
# --short       few and small cases
#
# Outside of a bundle, --rehearse unpacks FILE (build/gpu_bundle.tar.xz) into an empty folder and goes on there with an
# empty HOME, no network where the system allows it, and none of our folders in PATH.
# Environment: RETHINK_LIBTORCH (a torch/ folder), PYTHON (python3, with PyTorch for the comparisons with it).
# Exit code: 0 all parts passed, 1 some failed or were not begun, 2 wrong words.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
minutes=9 longest=600 only='' out='' packed='' rehearse=0 short=0
words=("$@")

usage() { sed -n '4,5p' "$0" | cut -c 5- >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --minutes | --limit | --only | --out | --bundle) [ $# -gt 1 ] || usage ;;&
    --minutes) minutes=$2; shift ;;
    --limit) longest=$2; shift ;;
    --bundle) packed=$2; shift ;;
    --only) only=$2; shift ;;
    --out) out=$2; shift ;;
    --rehearse) rehearse=1 ;;
    --short) short=1 ;;
    *) usage ;;
  esac
  shift
done
say() { printf 'prove: %s\n' "$*" >&2; }
[[ $minutes =~ ^[1-9][0-9]*$ ]] || { say "--minutes: got '$minutes', expected a whole number of minutes"; exit 2; }
[[ $longest =~ ^[1-9][0-9]*$ ]] || { say "--limit: got '$longest', expected a whole number of seconds"; exit 2; }

bundle=$(dirname "$here")
if [ ! -x "$bundle/bin/rethink" ]; then
  root=$(cd "$here/../.." && pwd)
  packed=${packed:-$root/build/gpu_bundle.tar.xz}
  [ $rehearse = 1 ] || { say "run it in a folder of \`make gpu-bundle\` on the GPU machine, or give --rehearse"; exit 2; }
  [ -f "$packed" ] || { say "$packed is missing: make gpu-bundle"; exit 2; }
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  tar -xJf "$packed" -C "$place"
  mkdir "$place/home"
  # Its own user namespace lets anybody cut the network; where the system forbids that, it stays.
  alone=()
  if unshare --user --map-root-user --net true 2>/dev/null; then alone=(unshare --user --map-root-user --net); fi
  [ -n "$out" ] || words+=(--out "$root/build/proof")
  "${alone[@]}" env -i HOME="$place/home" PATH=/usr/bin:/bin LANG=C.UTF-8 ${PYTHON:+PYTHON="$PYTHON"} \
    RETHINK_LIBTORCH="${RETHINK_LIBTORCH:-$HOME/.cache/rethink/libtorch-2.11.0/torch}" \
    "$place"/*/proof/prove.sh "${words[@]}"
  exit
fi

export BUNDLE=$bundle RETHINK=$bundle/rethink WORKER=$bundle/rethink-worker PYTHON=${PYTHON:-python3}
export RETHINK_DATA=$bundle/data SHORT=$short REHEARSE=$rehearse
export PATH=$PATH:/usr/local/cuda/bin # nvcc, compute-sanitizer
export DEVICE=cuda
[ $rehearse = 0 ] || DEVICE=cpu
out=${out:-$bundle/proof/found}
mkdir -p "$out"
state=$out/proof.state
work=$(mktemp -d "${TMPDIR:-/tmp}/rethink-proof-XXXXXX")
trap 'rm -rf "$work"' EXIT
begun=$SECONDS
left() { echo $((minutes * 60 - (SECONDS - begun))); }

# name, limit [s], what runs it. A part is begun when half of its limit is left.
parts() {
  cat <<'END'
doctor             60  doctor.sh
kernels           240  kernels.sh
memcheck          180  sanitizer.sh memcheck
racecheck         180  sanitizer.sh racecheck
initcheck         180  sanitizer.sh initcheck
jobs              180  trials.sh jobs
variants          240  trials.sh variants
chaos             300  chaos.sh
packing           120  packing.sh
attention_128     240  attention.sh 128
attention_512     240  attention.sh 512
attention_1024    240  attention.sh 1024
attention_4096    300  attention.sh 4096
encoder_float32   240  step.sh encoder_step,float32
encoder_tf32      240  step.sh encoder_step,tf32
encoder_bfloat16  240  step.sh encoder_step,bfloat16
lm_float32        150  step.sh lm_step,float32
lm_tf32           150  step.sh lm_step,tf32
lm_bfloat16       150  step.sh lm_step,bfloat16
mt_float32        150  step.sh mt_step,float32
mt_tf32           150  step.sh mt_step,tf32
mt_bfloat16       150  step.sh mt_step,bfloat16
protocol          530  protocol.sh
END
}
if [ $short = 1 ]; then
  parts() {
    cat <<'END'
doctor             60  doctor.sh
jobs              120  trials.sh jobs
chaos             120  chaos.sh
END
  }
fi

# proof.state: for each part a line "@ NAME RESULT SECONDS", then the lines of its section.
result_of() { [ -f "$state" ] && awk -v name="$1" '$1 == "@" && $2 == name { print $3 }' "$state"; }
keep() { # NAME RESULT SECONDS [FILE with the section]
  {
    [ ! -f "$state" ] || awk -v name="$1" '$1 == "@" { skip = $2 == name } !skip' "$state"
    echo "@ $1 $2 $3"
    [ -z "${4:-}" ] || sed 's/^@/ @/' "$4"
  } >"$state.new"
  mv "$state.new" "$state"
}

facts() {
  local torch
  torch=$(sed -n "s/^__version__ = '\(.*\)'/\1/p" "${RETHINK_LIBTORCH:-}/version.py" 2>/dev/null)
  [ -n "$torch" ] || torch=$("$PYTHON" -c 'import torch; print(torch.__version__)' 2>/dev/null)
  echo "- program: $("$RETHINK" version 2>/dev/null | head -n 1)"
  echo "- commit: $(cat "$bundle/commit" 2>/dev/null)"
  echo "- PyTorch: ${torch:-none}"
  if [ $rehearse = 1 ]; then
    echo "- device: none: a rehearsal, with the CPU in its place"
  else
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null |
      sed 's/^/- device, driver, memory: /'
    echo "- CUDA: $(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
  fi
  echo "- processor: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
}

write_proof() {
  {
    echo "# Proof on a GPU"
    echo
    facts
    echo "- when: $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo
    echo "| part | result | seconds |"
    echo "|:--|:--|--:|"
    parts | while read -r name _; do
      awk -v name="$name" '$1 == "@" && $2 == name { found = 1; sub(/_/, " ", $3); print "| " name " | " $3 " | " $4 " |" }
        END { if (!found) print "| " name " | not begun | |" }' "$state" 2>/dev/null || echo "| $name | not begun | |"
    done
    parts | while read -r name _; do
      awk -v name="$name" '$1 == "@" { mine = $2 == name; if (mine) print "\n## " name "\n"; next } mine' "$state" 2>/dev/null
    done
  } >"$out/proof.md"
}

# One line for what is wrong with the machine; the parts that do without it still run.
check_machine() {
  [ $rehearse = 1 ] && return
  local driver
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
  if [ -z "$driver" ]; then
    say "no GPU: nvidia-smi finds none"
  elif [ "${driver%%.*}" -lt 580 ]; then
    say "the driver is $driver, CUDA 13 needs 580 or newer: update it, or take the cu126 or cu128 build of PyTorch 2.11" \
      "and build the plug-in with CUDA 12's nvcc (nobody has proved that way)"
  fi
  local free
  free=$(nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits 2>/dev/null | head -n 1)
  [ -z "$free" ] || [ "$free" -ge 16000 ] || say "the GPU has $free MiB free: the longest cases of attention want 16,000"
  command -v nvcc >/dev/null || say "no nvcc: nothing is compiled on this machine"
  "$PYTHON" -c 'import torch' 2>/dev/null || say "$PYTHON has no PyTorch: there is nobody to compare with"
}

run_part() { # NAME LIMIT SCRIPT [WORD]
  local name=$1 limit=$2 script=$3 folder=$work/$1 result seconds code
  shift 3
  if [ "$(left)" -lt $((limit / 2)) ]; then
    say "$name: not begun, $(left) s are left"
    return
  fi
  [ "$(left)" -ge "$limit" ] || limit=$(left)
  [ "$longest" -ge "$limit" ] || limit=$longest
  mkdir -p "$folder"
  seconds=$SECONDS
  # In a session of its own, so that nothing of a part outlives it.
  (cd "$folder" && WORK=$folder LIMIT=$limit exec setsid timeout --kill-after=5 "$limit" bash "$here/parts/$script" "$@") \
    >"$folder.md" 2>"$folder.log"
  code=$?
  seconds=$((SECONDS - seconds))
  case $code in
    0) result=passed ;;
    77) result=not_here; tail -n 1 "$folder.log" >>"$folder.md" ;;
    124 | 137) result=failed; echo "It did not end within $limit s." >>"$folder.md" ;;
    *) result=failed ;;
  esac
  if [ $result = failed ]; then
    printf '\n```\n%s\n```\n' "$(tail -n 15 "$folder.log" | cut -c 1-300)" >>"$folder.md"
  fi
  keep "$name" $result $seconds "$folder.md"
  say "$name: ${result/_/ }, $seconds s$([ $result = passed ] || tail -n 1 "$folder.log" | cut -c 1-160 | sed 's/^/: /')"
  write_proof
  rm -rf "$folder"
}

check_machine
parts >"$work/parts"
while read -r -u 3 name limit script word; do
  if [ -n "$only" ]; then
    [[ $name == *"$only"* ]] || continue
  elif [ "$(result_of "$name")" = passed ]; then
    say "$name: passed before"
    continue
  fi
  run_part "$name" "$limit" "$script" ${word:+"$word"}
done 3<"$work/parts"
write_proof
say "$out/proof.md"

code=0
while read -r name _; do
  [[ -z $only || $name == *"$only"* ]] || continue
  case $(result_of "$name") in passed | not_here) ;; *) code=1 ;; esac
done <"$work/parts"
exit $code
