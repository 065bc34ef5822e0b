# A mistake on the command line gets a sentence that helps, and exit code 2.
$ rethink
rethink: sweeps of attention variants, from YAML to the papers' tables
...
[exit 2]

$ rethink paln
unknown command 'paln'; did you mean 'plan'?; known: <any>
[exit 2]

$ rethink plan --profile smoke
name a sweep: a file, or a name such as bet/diag_discount
[exit 2]

$ rethink plan bet/diag_discount --profli smoke
rethink plan: unrecognised option '--profli'; see <any>
[exit 2]

$ rethink plan bet/diag_discount --store ''
--store: got '', expected a folder
[exit 2]

$ rethink status --data=
<any>--data<any>
[exit 2]

$ rethink schema >/dev/full
standard output took only a part of the answer: its disk may be full; the command may be given again
[exit 3]

$ rethink schema >&-
standard output is closed
[exit 3]
