# Language models on the device, whose drivers, zygotes and workers are killed; the bits must equal an undisturbed run's.
set -eu
kills=20 words=
[ "$SHORT" = 0 ] || kills=4 words="--profile short"
# shellcheck disable=SC2086
"$RETHINK" selftest --chaos $kills --sweep "$BUNDLE/proof/sweeps/chaos.yaml" $words --device "$DEVICE" 2>said || {
  cat said >&2
  exit 1
}
sed -n 's/^(\(.*\))$/\1/p' said
