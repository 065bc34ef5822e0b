# A mistake on the command line gets a sentence that helps, and exit code 2.
$ rethink
rethink: sweeps of attention variants, from YAML to the papers' tables
...
[exit 2]

$ rethink paln
...
[exit 2]

$ rethink plan --profil smoke
...
[exit 2]
