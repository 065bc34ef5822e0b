#!/bin/bash
# Tests the program on a GPU machine, part after part, and writes the results to proof.md.
#
#   prove.sh [--minutes N] [--limit N] [--only WORD] [--out FOLDER] [--short]    in a folder of `make gpu-bundle`
#   prove.sh --rehearse [--bundle FILE] [the same]                               with the CPU in the GPU's place
#
# --minutes N   ends after N minutes (9): a part that does not fit any more is "not begun"
# --limit N     no part takes more than N seconds
# --only WORD   the parts whose names hold WORD, those that passed before too
# --out FOLDER  takes proof.md and proof.state (proof/found in the bundle). A proof.state that is there goes on: first
#               what was not begun, then what failed; what passed is not run again
# --short       few and small cases
#
# Outside of a bundle, --rehearse unpacks FILE (build/gpu_bundle.tar.xz) into an empty folder and goes on there with an
# empty HOME, no network where the system allows it, and none of our folders in PATH.
# Environment: RETHINK_LIBTORCH (a torch/ folder), PYTHON (python3, with PyTorch for the comparisons with it).
# Exit code: 0 all parts passed or cannot be on this device, 1 some failed or were not begun, or the machine lacks
# something, 2 wrong words.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
say() { printf 'prove: %s\n' "$*" >&2; }
minutes=9 longest=600 only='' out='' packed='' rehearse=0 short=0
words=("$@")

usage() { # WHAT-is-wrong
  say "$1"
  sed -n '4,5p' "$0" | cut -c 5- >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --minutes | --limit | --only | --out | --bundle) [ $# -gt 1 ] || usage "$1 needs a value" ;;&
    --help | -h) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'; exit 0 ;;
    --minutes) minutes=$2; shift ;;
    --limit) longest=$2; shift ;;
    --bundle) packed=$2; shift ;;
    --only) only=$2; shift ;;
    --out) out=$2; shift ;;
    --rehearse) rehearse=1 ;;
    --short) short=1 ;;
    *) usage "got '$1', expected one of the options below" ;;
  esac
  shift
done
[[ $minutes =~ ^[1-9][0-9]*$ ]] || { say "--minutes: got '$minutes', expected a whole number of minutes"; exit 2; }
[[ $longest =~ ^[1-9][0-9]*$ ]] || { say "--limit: got '$longest', expected a whole number of seconds"; exit 2; }

bundle=$(dirname "$here")
if [ ! -x "$bundle/bin/rethink" ]; then
  root=$(cd "$here/../.." && pwd)
  packed=${packed:-$root/build/gpu_bundle.tar.xz}
  [ $rehearse = 1 ] || { say "run it in a folder of \`make gpu-bundle\` on the GPU machine; without a GPU: make gpu-rehearsal"; exit 2; }
  [ -f "$packed" ] || { say "$packed is missing: make gpu-bundle; without nvcc: make gpu-rehearsal"; exit 2; }
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  tar -xJf "$packed" -C "$place"
  mkdir "$place/home"
  # In a separate user namespace any user can remove the network; if the system forbids this, the network stays.
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
begun=$SECONDS
left() { echo $((minutes * 60 - (SECONDS - begun))); }

# Zygotes and their children have separate sessions, so a part's processes are recognised by a mark in their
# environment. Remaining processes of a part would disturb the next part's times.
mark=RETHINK_PROOF_PART=$$.$RANDOM
end_part() {
  local file
  for file in /proc/[0-9]*/environ; do
    [ "$file" != "/proc/$$/environ" ] || continue
    ! grep -qzx "$mark" "$file" 2>/dev/null || kill -KILL "$(basename "$(dirname "$file")")" 2>/dev/null
  done
}
trap 'end_part; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Name, limit [s], command. A part is begun if at least half of its limit is left. The first five take at most 15 minutes:
# what only a GPU can say, which is whether the kernels are right, and the figures of pretraining and of long decoders.
parts() {
  cat <<'END'
doctor             60  doctor.sh
kernels           240  kernels.sh
encoder_bfloat16  240  step.sh encoder_step,bfloat16
lm_2048           180  step.sh lm_step,bfloat16,2048
lm_8192           180  step.sh lm_step,bfloat16,8192
jobs              180  trials.sh jobs
variants          240  trials.sh variants
passes            120  passes.sh
packing           150  packing.sh
chaos             300  chaos.sh
memcheck          180  sanitizer.sh memcheck
racecheck         180  sanitizer.sh racecheck
initcheck         180  sanitizer.sh initcheck
attention_128     300  attention.sh 12x64,128
bet_128           240  attention.sh 1x300,128
attention_512     300  attention.sh 12x64,512
bet_512           240  attention.sh 1x300,512
attention_1024    300  attention.sh 12x64,1024
bet_1024          240  attention.sh 1x300,1024
attention_4096    400  attention.sh 12x64,4096
bet_4096          300  attention.sh 1x300,4096
encoder_float32   240  step.sh encoder_step,float32
encoder_tf32      240  step.sh encoder_step,tf32
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

# The machine of this call: the line beside a part's result.
commit=$(cat "$bundle/bin/rethink.commit" 2>/dev/null || true)
commit=${commit:-unknown}
driver=''
if [ $rehearse = 1 ]; then
  device="rehearsal, CPU"
else
  # nvidia-smi prints its errors to standard output, like its answers.
  if answer=$(nvidia-smi --query-gpu=name,driver_version,memory.free --format=csv,noheader,nounits 2>/dev/null); then
    IFS=, read -r device driver free <<<"$answer"
    driver=${driver# } free=${free# }
  fi
  [[ $driver =~ ^[0-9]+[.0-9]*$ ]] || driver='' device="no GPU"
fi

# proof.state: the first line is the kind of run. Then there is for each part a line "@ NAME RESULT SECONDS ORIGIN"
# and the lines of its section, none of which begins with "@".
kind=$([ $rehearse = 1 ] && echo rehearsal || echo proof)
if [ -f "$state" ]; then
  [ "$(head -n 1 "$state")" = "$kind" ] || {
    say "--out: $state is of a $(head -n 1 "$state"), not of a $kind: name another folder"
    exit 2
  }
else
  echo "$kind" >"$state"
fi
result_of() { awk -v name="$1" '/^@ / && $2 == name { print $3 }' "$state"; }
keep() { # NAME RESULT SECONDS FILE-of-the-section
  {
    awk -v name="$1" '/^@ / { skip = $2 == name } !skip' "$state"
    echo "@ $1 $2 $3 $device, $commit, $(date -u '+%Y-%m-%d %H:%M')"
    sed 's/^@/ @/' "$4"
  } >"$state.new"
  mv "$state.new" "$state"
}

# Once a call: each of these takes seconds on a machine with PyTorch.
{
  echo "- program: $("$RETHINK" version 2>/dev/null | head -n 1), commit $commit"
  torch=${RETHINK_LIBTORCH:-$("$PYTHON" -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2>/dev/null)}
  version=$(sed -n 's/^#define TORCH_VERSION_[MP][AI][JNT][OC][RH] \([0-9]*\)/\1/p' "$torch/include/torch/headeronly/version.h" 2>/dev/null | paste -s -d .)
  echo "- PyTorch: ${version:-none}"
  echo "- device: $device${driver:+, driver $driver, $free MiB free}"
  echo "- CUDA: $(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
  echo "- processor: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
} >"$work/facts"

write_proof() {
  {
    echo "# Proof on a GPU"
    echo
    cat "$work/facts"
    echo
    echo "| part | result | seconds | on, of which commit, when |"
    echo "|:--|:--|--:|:--|"
    parts | while read -r name _; do
      awk -v name="$name" '
        /^@ / && $2 == name {
          found = 1; result = $3; seconds = $4; sub(/^@ [^ ]* [^ ]* [^ ]* /, ""); sub(/_/, " ", result)
          print "| " name " | " result " | " seconds " | " $0 " |"
        }
        END { if (!found) print "| " name " | not begun | | |" }' "$state"
    done
    parts | while read -r name _; do
      awk -v name="$name" '/^@ / { mine = $2 == name; if (mine) print "\n## " name "\n"; next } mine' "$state"
    done
  } >"$out/proof.md"
}

# One line for each fault of the machine; parts that do not need it still run.
lacks=0
lack() { say "$*"; lacks=1; }
check_machine() {
  [ $rehearse = 0 ] || return
  if [ -z "$driver" ]; then
    lack "no GPU: nvidia-smi finds none"
  elif [ "${driver%%.*}" -lt 580 ]; then
    lack "the driver is $driver, CUDA 13 needs 580 or newer: update it, or take the cu126 or cu128 build of PyTorch 2.11" \
      "and build the plug-in with CUDA 12's nvcc (nobody has proved that way)"
  elif [ "$free" -lt 24000 ]; then
    lack "the GPU has $free MiB free: attention of 4,096 tokens wants 24,000"
  fi
  command -v nvcc >/dev/null || lack "no nvcc: the kernels cannot be compiled on this machine, should the plug-in not fit it"
  if [ -z "$version" ]; then
    lack "$PYTHON has no PyTorch: set RETHINK_LIBTORCH or PYTHON"
  elif [[ $version != 2.11.* ]]; then
    lack "PyTorch is $version, not 2.11: set RETHINK_LIBTORCH or PYTHON to one of 2.11"
  fi
}

# The result of a part that ended by itself, or that was ended; its section may have an open fence.
close_section() { # FILE
  [ $(($(grep -c '^```' "$1") % 2)) = 0 ] || echo '```' >>"$1"
}

run_part() { # NAME LIMIT SCRIPT [WORD]
  local name=$1 limit=$2 script=$3 folder=$work/$1 is_cut=0 result why seconds code
  shift 3
  if [ "$(left)" -lt $((limit / 2)) ]; then
    say "$name: not begun, $(left) s are left"
    return
  fi
  if [ "$(left)" -lt "$limit" ]; then limit=$(left) is_cut=1; fi
  if [ "$longest" -lt "$limit" ]; then limit=$longest is_cut=0; fi
  mkdir -p "$folder"
  seconds=$SECONDS
  (
    cd "$folder" || exit 1
    export "$mark" WORK=$folder LIMIT=$limit
    exec setsid timeout --kill-after=5 "$limit" bash "$here/parts/$script" "$@"
  ) >"$folder.md" 2>"$folder.log" &
  wait $! # a signal to us is answered at once
  code=$?
  end_part
  seconds=$((SECONDS - seconds))
  why=$(tail -n 1 "$folder.log" | cut -c 1-200)
  case $code in
    0) result=passed why='' ;;
    77) result=not_here; echo "$why" >>"$folder.md" ;;
    124 | 137) why="it did not end within $limit s"; result=failed; [ $is_cut = 0 ] || result=not_begun ;;
    *) result=failed ;;
  esac
  if [ $result = not_begun ]; then
    say "$name: not begun: the call's end cut it short after $seconds s"
    return
  fi
  close_section "$folder.md"
  if [ $result = failed ]; then
    printf '\nIt failed: %s\n\n```\n%s\n```\n' "$why" "$(tail -n 15 "$folder.log" | cut -c 1-300)" >>"$folder.md"
  fi
  keep "$name" $result $seconds "$folder.md"
  say "$name: ${result/_/ }, $seconds s${why:+: $why}"
  write_proof
  rm -rf "$folder"
}

check_machine
# Parts without a result come first, since failed parts may fail again and take the others' time.
parts | while read -r name rest; do
  [[ -z $only || $name == *"$only"* ]] || continue
  case $(result_of "$name") in
    '') echo "0 $name $rest" ;;
    failed) echo "1 $name $rest" ;;
    *) if [ -n "$only" ]; then echo "0 $name $rest"; else say "$name: $(result_of "$name" | tr _ ' ') before"; fi ;;
  esac
done | sort -s -k 1,1 | cut -d ' ' -f 2- >"$work/parts"
if [ -n "$only" ] && [ ! -s "$work/parts" ]; then
  say "--only: got '$only', expected a word of $(parts | awk '{ printf "%s%s", NR > 1 ? ", " : "", $1 }')"
  exit 2
fi
while read -r -u 3 name limit script word; do
  run_part "$name" "$limit" "$script" ${word:+"$word"}
done 3<"$work/parts"
write_proof
say "$out/proof.md"

code=$lacks
while read -r name _; do
  [[ -z $only || $name == *"$only"* ]] || continue
  case $(result_of "$name") in passed | not_here) ;; *) code=1 ;; esac
done < <(parts)
exit $code
