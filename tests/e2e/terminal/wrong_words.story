# A mistake on the command line gets a helpful message, and exit code 2.
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
rethink plan: unrecognised option '--profli'; did you mean '--profile'?; see `rethink plan --help`
[exit 2]

# The beginning of an option's name is not accepted as the name.
$ rethink plan bet/diag_discount --seed 3
rethink plan: unrecognised option '--seed'; did you mean '--seeds'?; see `rethink plan --help`
[exit 2]

$ rethink plan bet/diag_discount --p smoke
rethink plan: unrecognised option '--p'; did you mean '--profile' or '--priority' or '--path'?; see `rethink plan --help`
[exit 2]

$ rethink --sto elsewhere plan bet/diag_discount
rethink: got '--sto' where a command is expected; before the command only --store, --data, --path, --out and --quiet may be given; `rethink --help` lists the commands
[exit 2]

$ rethink --store elsewhere --help | head -n 1
rethink: sweeps of attention variants, from YAML to the papers' tables

# Each option that takes a number says which numbers are valid.
$ for given in '--slots 1.5' '--slots 999999999999' '--max-trials 1e3' '--max-trials 99999999999999999999' '--seeds x'; do rethink plan bet/diag_discount --profile smoke $given; echo "exit $?"; done
--slots: got '1.5', expected a whole number from 1 to 4096
exit 2
--slots: got '999999999999', expected a whole number from 1 to 4096
exit 2
--max-trials: got '1e3', expected a whole number, 0 or more
exit 2
--max-trials: got '99999999999999999999', expected a whole number from 0 to 9223372036854775807
exit 2
--seeds: got 'x', expected seeds such as 0..4 or 0,1,5
exit 2

$ rethink mask star --heads two; rethink tokenize --train vocab.txt --size 0x10; rethink selftest --seed -1
--heads: got 'two', expected a whole number from 1 to <n>
--size: got '0x10', expected a whole number, 1 or more
--seed: got '-1', expected a whole number, 0 or more
[exit 2]

$ rethink plan bet/diag_discount --slots; rethink plan bet/diag_discount --slots=
rethink plan: --slots has no value; write --slots VALUE; see `rethink plan --help`
rethink plan: --slots has no value; write --slots VALUE; see `rethink plan --help`
[exit 2]

# A blank in the place of the equals sign does not turn the value into a sweep.
$ rethink plan bet/diag_discount --set optimizer.lr 0.1; rethink plan bet/diag_discount --set optimizer.lr --profile smoke
--set: got 'optimizer.lr', expected KEY=VALUE in one word, such as --set optimizer.lr=0.1
--set: got 'optimizer.lr', expected KEY=VALUE in one word, such as --set optimizer.lr=VALUE
[exit 2]

# For an unknown profile there is no other message.
=== mine.yaml
sweep: mine
seeds: [0]
stages:
  train: {job: noop, steps: x}
profiles:
  small: {stages.train: {steps: 3}}
===
$ rethink plan mine.yaml --profile smal
mine.yaml: error: no profile 'smal'; did you mean 'small'?; profiles: small
[exit 2]

# The file's name was typed with the hands on wrong keys.
$ rethink plan ./mine2.yaml
./mine2.yaml: there is no such file; did you mean './mine.yaml'?; expected a sweep file or the name of one
[exit 2]

# A named pipe can be read only once.
$ mkfifo pipe.yaml && rethink run pipe.yaml
'pipe.yaml' is not a file, expected a sweep; of pipes `plan` and `run` alone read a sweep, from - or <(...), and `run` keeps it in the store's folder `piped`: name its file there
[exit 2]

$ rethink table mine.yml
mine.yml: there is no such file; did you mean 'mine.yaml'?; expected a file of tables or the name of one
[exit 2]

$ rethink plan mine.yaml --profile small --set stages.train.tag=
--set stages.train.tag=: error: has no value; write --set "stages.train.tag=''" for the empty text, or stages.train.tag=null to unset the key
[exit 2]

$ rethink plan mine.yaml --profile small --set "stages.train.tag=''" --check

$ rethink plan mine.yaml --profile small --set 'stages.train.only={tag:[P3]}'
--set stages.train.only={tag:[P3]}: error: a space is missing after 'tag:': write 'tag: ['
[exit 2]

# A file is neither a store's folder nor a snapshot, for a command that needs folders and for others.
$ for command in status 'query --by tag' report; do rethink $command --store mine.yaml; echo "exit $?"; done
--store: got 'mine.yaml', a file that does not begin as a database does; expected the folder of a store, or a snapshot of its database
exit 2
--store: got 'mine.yaml', a file that does not begin as a database does; expected the folder of a store, or a snapshot of its database
exit 2
--store: got 'mine.yaml', a file that does not begin as a database does; expected the folder of a store, or a snapshot of its database
exit 2

$ touch empty; rethink db check --store empty
--store: got 'empty', a file that does not begin as a database does; <any>
[exit 2]

$ rethink plan bet/diag_discount --store ''
--store: got '', expected a folder
[exit 2]

$ rethink status --data=
<any>--data<any>
[exit 2]

$ rethink schema >/dev/full
standard output took only a part of the answer: its disk may be full, or a limit on the size of files reached (ulimit -f); give the same command again
[exit 3]

$ rethink schema >&-
standard output is closed
[exit 3]
