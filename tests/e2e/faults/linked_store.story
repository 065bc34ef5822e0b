# In a copy of a store whose parts are links, no command changes the original.
=== x.yaml
sweep: x
seeds: [0, 1]
stages: {t: {job: noop, steps: 2}}
===
$ rethink run x.yaml --quiet --store a

# The database is a link.
$ mkdir disk; cp a/rethink.db disk/; ln -sf "$PWD/disk/rethink.db" a/rethink.db; cp -r a b
$ rethink rm x --yes --store b
<any>b/rethink.db: is a link, and a copy of the store would have the same link and write the same database; remove the link, and `rethink db rebuild --store <any>b<any>` makes the database from the trials' folders
[exit 3]
$ rethink status --store a | grep -c 'is a link'; rethink doctor --store a | grep 'a link'
<any>a/rethink.db: is a link, and <any>
0
!! database   <any>a/rethink.db: is a link, and <any>
$ rm a/rethink.db; rm -r b; rethink db rebuild --store a
2 trials, 1 sweep
$ cp -rl a b; rethink rm x --yes --store b
<any>b/rethink.db: is one file with 2 names (hard links, as `cp -l` makes), and writing here would change the other store's database; remove the file here, and `rethink db rebuild --store <any>b<any>` makes the database from the trials' folders
[exit 3]
$ rm b/rethink.db; rethink db rebuild --store b; rethink rm x --yes --store b; rethink db check --store a
2 trials, 1 sweep
removed sweep x, 2 trials, <any>
the database is sound <any>

# The trials and the sweeps are links: the original may still use them.
$ rm -r b; for part in trials sweeps; do mv a/$part disk; ln -s "$PWD/disk/$part" a/$part; done; cp -r a b
$ rethink rm x --yes --store b; ls disk/trials | wc -l
<any>b/trials: is a link to <any>disk/trials, which may belong to another store (nothing shows that the folder was made after this store, which may be a copy); a command here would change or remove files of that store: put a copy of the folder in the link's place (`rm <any>b/trials<any> && cp -r <any>`), or, if no other store uses the folder, give `: > <any>disk/trials/.store<any>`; then the same command again
2
$ for command in 'run x.yaml' gc 'retry x' 'cancel x' 'db rebuild' 'db merge a'; do rethink $command --store b; done 2>&1 | grep -c 'is a link to'; rethink doctor --store b | grep -c 'trials: is a link to'
6
1
$ rm b/trials; cp -r disk/trials b; rethink rm x --yes --store b
<any>b/sweeps: is a link to <any>disk/sweeps, which may belong to another store <any>
[exit 3]
$ : > disk/trials/.store; : > disk/sweeps/.store; rethink gc --store a; head -c 5 disk/trials/.store | wc -c
removed 0.0 MB in 0 places
5
$ rm -r b; cp -r a b; rethink db check --store b; rethink db check --store a
<any>b/trials: is a link to <any>disk/trials, which belongs to a store that was at <any>a; a command here would change or remove <any>
the database is sound <any>

# A part is a link into another store.
$ rm b/sweeps b/trials; cp -r disk/sweeps b; rm a/trials; mv disk/trials a; ln -s ../a/trials b/trials; rethink gc --store b
<any>b/trials: is a link to <any>a/trials, a part of the store <any>a; a command here <any>
[exit 3]

# A link leads nowhere, as to a disk that is not mounted.
$ mv a/trials away; ln -s ../disk/trials a/trials; for command in 'run x.yaml' 'rm x --yes' 'db check'; do rethink $command --store a; echo "exit $?"; done
<any>a/trials: is a link to ../disk/trials, which does not exist; mount the disk that it is on, or, if it is not needed any more, remove the link
exit 3
<any>a/trials: is a link to ../disk/trials, which does not exist; mount the disk that it is on, or, if it is not needed any more, remove the link
exit 3
<any>a/trials: is a link to ../disk/trials, which does not exist; mount <any>
...
