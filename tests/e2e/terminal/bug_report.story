# Attachments to a report of a fault: the installed versions and the last errors, without paths and people's names.
=== s.yaml
sweep: s
seeds: [0]
stages:
  a: {job: noop, steps: 3, fail_at: 2, tag: x}
===
$ rethink run s.yaml --quiet 2>/dev/null
[exit 1]

$ HOME=$PWD USER=zoe rethink doctor --report > report.md; grep -c -F -e "$PWD" -e zoe report.md
0
[exit 1]

$ grep -e '^#' -e '^rethink' -e '^ok disk' -e '^noop' report.md | tr '#' '*'
* A fault of rethink
** Versions
rethink <any>, worker <any>, numeric build <any>
** Machine
ok disk       <any> free at <any>
** Store
noop failed: 1
*** failed of job noop

$ rethink doctor --report --store nothing | tail -1
There is no store at the place that --store names.
