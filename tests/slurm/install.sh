#!/bin/sh
# Installs Slurm's daemons for the tests in this folder (as root or through sudo) without starting them: each test starts
# its own. `make deps` does not call it, so building rethink installs no daemons.
set -eu

packages="slurmctld slurmd slurm-client munge"
missing=
for package in $packages; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo
echo "slurm: installing$missing" >&2
# Debian starts the services of installed packages, unless this program forbids it.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >/dev/null
  $as_root chmod +x $policy
  trap '$as_root rm -f $policy' EXIT
fi
$as_root apt-get update -qq
# shellcheck disable=SC2086  # a list of package names
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
