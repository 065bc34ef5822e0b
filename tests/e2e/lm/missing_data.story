# Data that is not there: which file, and how to get it, before anything runs.
=== data.yaml
sweep: data
seeds: [0]
stages:
  lm:
    job: lm
    steps: 3
    data: {dataset: wikitext_2}
===
$ rethink run data.yaml
data.yaml:7:21: error: data set 'wikitext_2' needs wikitext-2/wiki.test.tokens, but no folder of data sets is named: give --data DIR or set RETHINK_DATA
      data: {dataset: wikitext_2}
                      ^
...
[exit 2]

$ rethink run data.yaml --data /nowhere
data.yaml:7:21: error: data set 'wikitext_2' needs /nowhere/wikitext-2/wiki.test.tokens, which does not exist: run `rethink data get wikitext_2`, or name another folder with --data or RETHINK_DATA
      data: {dataset: wikitext_2}
                      ^
...
[exit 2]

$ ls
data.yaml
