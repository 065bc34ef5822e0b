#!/bin/sh
# Builds targets in a configured folder with as many jobs as the machine can run, and prints the build's progress and
# the expected time that is left.
#   build.sh FOLDER WHAT TARGET...      WHAT names the targets in the progress line
set -eu
folder=$1 what=$2
shift 2

jobs=$(nproc)
memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo) # MiB

allow_processors() { # QUOTA PERIOD: of processor time; "max" or -1: no limit
  case $1 in max | -1) return ;; esac
  [ "$jobs" -le $((($1 + $2 - 1) / $2)) ] || jobs=$((($1 + $2 - 1) / $2))
}
allow_memory() { # BYTES or "max"
  case $1 in max) return ;; esac
  [ "$memory" -le $(($1 / 1048576)) ] || memory=$(($1 / 1048576))
}

# A container may have fewer cores and less memory than its machine. Control groups are of version 2, our own and the
# topmost visible one, or of version 1.
groups=/sys/fs/cgroup
for group in "$groups" "$groups$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)"; do
  if read -r quota period 2>/dev/null <"$group/cpu.max"; then allow_processors "$quota" "$period"; fi
  if read -r limit 2>/dev/null <"$group/memory.max"; then allow_memory "$limit"; fi
done
if read -r quota 2>/dev/null <$groups/cpu/cpu.cfs_quota_us && read -r period 2>/dev/null <$groups/cpu/cpu.cfs_period_us; then
  allow_processors "$quota" "$period"
fi
if read -r limit 2>/dev/null <$groups/memory/memory.limit_in_bytes; then allow_memory "$limit"; fi
# A compiler needs up to 1.6 GB for sources with LibTorch.
[ "$jobs" -le $((memory / 1600)) ] || jobs=$((memory / 1600))
[ "$jobs" -ge 1 ] || jobs=1

# A batch of sources and a precompiled header take 10 to 30 s, everything else a second: by counted steps alone the
# time left would be wrong by a factor of four.
heavy_weight=15
weight_of() { # what ninja says of a step; sets weight
  case $1 in *batches/*.cpp.o* | *cmake_pch.hxx.gch*) weight=$heavy_weight ;; *) weight=1 ;; esac
}
# All commands of the targets, including those that are up to date: ninja reports the number of steps beforehand, but
# not the steps.
commands=$(ninja -C "$folder" -t commands "$@" 2>/dev/null) || commands=
all=$(printf '%s\n' "$commands" | wc -l)
heavy=$(printf '%s\n' "$commands" | grep -cE -- '-o [^ ]*(batches/[^ ]*\.cpp\.o|cmake_pch\.hxx\.gch)' || true)

duration() { # SECONDS
  if [ "$1" -lt 60 ]; then echo "$1 s"; else printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); fi
}

# A line of progress: overwritten on a terminal, else one each 15 seconds.
progress() { # DONE TOTAL ELAPSED
  [ "$2" -gt 2 ] || return 0 # the two that look for new files
  [ "$3" -ge "$next" ] || [ "$1" -eq "$2" ] || return 0
  left=
  total_weight=$(($2 * (all + heavy * (heavy_weight - 1)) / all))
  if [ "$done_weight" -lt "$total_weight" ] && [ "$3" -ge 10 ]; then
    left=", about $(duration $(($3 * (total_weight - done_weight) / done_weight))) left"
  fi
  text="$what: $1 of $2 steps, $(duration "$3")$left"
  if [ -t 1 ]; then
    printf '\r%s\033[K' "$text"
    [ "$1" -lt "$2" ] || echo
  else
    echo "$text"
    next=$(($3 + 15))
  fi
}

# Ninja begins the line of a finished step with this status. All other lines are a compiler's output.
exit_code=$(mktemp)
trap 'rm -f "$exit_code"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
{
  result=0
  NINJA_STATUS='@step %f %t %e ' cmake --build "$folder" --parallel "$jobs" --target "$@" 2>&1 || result=$?
  echo "$result" >"$exit_code"
} | {
  next=0 done_weight=0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '@step '*)
        weight_of "$line"
        done_weight=$((done_weight + weight))
        # shellcheck disable=SC2086  # the words of the status
        set -- $line
        progress "$2" "$3" "${4%.*}"
        ;;
      'ninja: no work to do.') ;;
      *)
        [ ! -t 1 ] || printf '\r\033[K'
        printf '%s\n' "$line"
        ;;
    esac
  done
}
result=$(cat "$exit_code")
exit "${result:-1}"
