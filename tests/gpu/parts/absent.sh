# absent TEXT: what a part needs and does not find. In a rehearsal the part is then "not here"; on a GPU machine, where
# it was to be, it fails.
absent() {
  echo "$*" >&2
  [ "$REHEARSE" = 1 ] && exit 77
  exit 1
}
has_module() { "$PYTHON" -c "import importlib.util as u, sys; sys.exit(not u.find_spec('$1'))" 2>/dev/null; }
