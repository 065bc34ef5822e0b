#!/bin/sh
# Builds targets of build/PRESET with as many jobs as the machine can carry, and says how far the build is and how long
# it may still take.
#   build.sh PRESET WHAT TARGET...      WHAT names the targets in the progress line
set -eu
preset=$1 what=$2
shift 2

# As many jobs as there are processors, and as fit into the memory: a compiler needs up to 1.6 GB for sources with
# LibTorch. A container may have less of both than its machine.
jobs=$(nproc)
memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo) # MiB
group=/sys/fs/cgroup
if read -r quota period 2>/dev/null <$group/cpu.max && [ "$quota" != max ]; then
  jobs_by_quota=$(((quota + period - 1) / period))
  [ "$jobs" -le "$jobs_by_quota" ] || jobs=$jobs_by_quota
fi
if read -r limit 2>/dev/null <$group/memory.max && [ "$limit" != max ]; then
  limit=$((limit / 1048576))
  [ "$memory" -le "$limit" ] || memory=$limit
fi
[ "$jobs" -le $((memory / 1600)) ] || jobs=$((memory / 1600))
[ "$jobs" -ge 1 ] || jobs=1

duration() { # SECONDS
  if [ "$1" -lt 60 ]; then echo "$1 s"; else printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); fi
}

# A line of progress: overwritten on a terminal, else one each 15 seconds.
progress() { # DONE TOTAL ELAPSED
  [ "$1" -gt 0 ] || return 0
  [ "$3" -ge "$next" ] || [ "$1" -eq "$2" ] || return 0
  left=
  if [ "$1" -lt "$2" ] && [ "$3" -ge 10 ]; then left=", about $(duration $(($3 * ($2 - $1) / $1))) left"; fi
  text="$what: $1 of $2 steps, $(duration "$3")$left"
  if [ -t 1 ]; then
    printf '\r%s\033[K' "$text"
    [ "$1" -lt "$2" ] || echo
  else
    echo "$text"
    next=$(($3 + 15))
  fi
}

# Ninja begins the line of a finished step with this status. All other lines are what a compiler says.
exit_code=$(mktemp)
trap 'rm -f "$exit_code"' EXIT
{
  result=0
  NINJA_STATUS='@step %f %t %e ' cmake --build --preset "$preset" --parallel "$jobs" --target "$@" 2>&1 || result=$?
  echo "$result" >"$exit_code"
} | {
  next=0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '@step '*)
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
