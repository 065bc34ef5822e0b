# absent TEXT: names a missing requirement of a part. In a rehearsal the part is then "not here"; on a GPU machine, which
# should have it, the part fails.
absent() {
  echo "$*" >&2
  [ "$REHEARSE" = 1 ] && exit 77
  exit 1
}
has_module() { "$PYTHON" -c "import importlib.util as u, sys; sys.exit(not u.find_spec('$1'))" 2>/dev/null; }
