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
data.yaml:7:21: error: data set 'wikitext_2' needs wiki.test.tokens, wiki.train.tokens, wiki.valid.tokens in wikitext-2, but no folder of data sets is named: give --data DIR or set RETHINK_DATA
      data: {dataset: wikitext_2}
                      ^
[exit 2]

$ rethink run data.yaml --data /nowhere
data.yaml:7:21: error: data set 'wikitext_2' needs wiki.test.tokens, wiki.train.tokens, wiki.valid.tokens in /nowhere/wikitext-2, which are not there: run `rethink data get wikitext_2`, or name another folder with --data or RETHINK_DATA
      data: {dataset: wikitext_2}
                      ^
[exit 2]

$ ls
data.yaml
