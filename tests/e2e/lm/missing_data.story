# Missing data: the message names the file and how to get it, before anything runs.
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
data.yaml:7:21: error: data set 'wikitext_2' needs wiki.test.tokens, wiki.train.tokens, wiki.valid.tokens in wikitext-2, but no folder of data sets is named: give --data DIR or set RETHINK_DATA; to get the data set: run `rethink data get wikitext_2`
      data: {dataset: wikitext_2}
                      ^
[exit 2]

$ rethink run data.yaml --data /nowhere
data.yaml:7:21: error: data set 'wikitext_2' needs wiki.test.tokens, wiki.train.tokens, wiki.valid.tokens in /nowhere/wikitext-2, which are not there, since there is no folder /nowhere: run `rethink data get wikitext_2`, or name another folder with --data or RETHINK_DATA
      data: {dataset: wikitext_2}
                      ^
[exit 2]

# Files in an option's default can be downloaded like any other.
=== text.yaml
sweep: text
seeds: [0]
stages:
  pretrain:
    job: pretrain
    steps: 3
    data: {dataset: pretrain_text}
===
$ rethink plan text.yaml --data /nowhere
text.yaml:7:21: error: data set 'pretrain_text' needs Dracula_345.txt, Frankenstein_84.txt, Great-Expectations_1400.txt, Middlemarch_145.txt, Moby-Dick--Or-The-Whale_2701.txt, Pride-and-Prejudice_1342.txt, The-Adventures-of-Sherlock-Holmes_1661.txt, War-and-Peace_2600.txt in /nowhere/pretrain_text/gutenberg, which are not there, since there is no folder /nowhere: run `rethink data get pretrain_text`, or name another folder with --data or RETHINK_DATA
      data: {dataset: pretrain_text}
                      ^
text.yaml:7:21: error: data set 'pretrain_text' needs /nowhere/wikitext-2/wiki.train.tokens, which does not exist, since there is no folder /nowhere: run `rethink data get pretrain_text`, or name another folder with --data or RETHINK_DATA
      data: {dataset: pretrain_text}
                      ^
[exit 2]

$ rethink plan data.yaml --data data.yaml
data.yaml:7:21: error: data set 'wikitext_2' needs <any> in data.yaml/wikitext-2, which are not there, since data.yaml is not a folder: <any>
...
[exit 2]

# A file of one's own that is empty, or is not text, is refused before the run.
=== own.yaml
sweep: own
seeds: [0]
stages:
  lm:
    job: lm
    steps: 3
    data: {dataset: text, path: own.txt}
===
$ : > own.txt; rethink plan own.yaml
own.yaml:7:33: error: data set 'text': <any>own.txt is empty; expected text: write the file again, or name another in 'path'
      data: {dataset: text, path: own.txt}
                                  ^
[exit 2]

$ head -c 40 "$(command -v sh)" > own.txt; printf '\377' >> own.txt; rethink plan own.yaml; rm own.txt own.yaml; false
own.yaml:7:33: error: <any>own.txt: is binary, not text; expected text: name a file of text
...
[exit 1]

$ mkdir empty; rethink plan data.yaml --data empty; rmdir empty; false
data.yaml:7:21: error: data set 'wikitext_2' needs <any> in empty/wikitext-2, which are not there: <any>
...
[exit 1]

$ rethink data list --data /nowhere 2>&1 >/dev/null; rethink data verify wikitext_2 --data /nowhere
--data or RETHINK_DATA: there is no folder /nowhere
wikitext_2 <any>
wikitext_2 <any>
wikitext_2 <any>
--data or RETHINK_DATA: there is no folder /nowhere
[exit 1]

# For data that nobody may redistribute the message names their source, in every command that misses them.
$ rethink data get iwslt14 --data /nowhere
data set 'iwslt14' is not downloaded; instead run fairseq's examples/translation/prepare-iwslt14.sh and bring <any>
[exit 2]

$ rethink data get wmt17_en_de --data /nowhere
data set 'wmt17_en_de' is not downloaded; instead run fairseq's examples/translation/prepare-wmt14en2de.sh <any>
[exit 2]

=== captions.yaml
sweep: captions
seeds: [0]
stages:
  mt:
    job: mt
    steps: 3
    data: {dataset: multi30k}
===
$ rethink plan captions.yaml --data /nowhere
captions.yaml:7:21: error: data set 'multi30k' needs <any> in /nowhere/multi30k, which are not there, since there is no folder /nowhere: bring <any> of github.com/multi30k/dataset, folder data/task1/raw, unpacked (gunzip) to multi30k in the folder of data sets, or name another folder with --data or RETHINK_DATA
      data: {dataset: multi30k}
                      ^
[exit 2]

$ ls
captions.yaml
data.yaml
text.yaml

# A table with missing data exists and names the command that brings them; `run` refuses.
=== here.yaml
sweep: here
seeds: [0, 1]
stages: {noop: {job: noop, steps: 2, grid: {tag: [a, b]}}}
===
=== plots/tables/here.yaml
table: here
sweep: here.yaml
stage: noop
metric: dev/score
direction: max
rows: {axis: tag}
columns: [{label: score}]
===
=== gone.yaml
sweep: gone
seeds: [0]
stages:
  mt:
    job: mt
    grid: {steps: [3, 4]}
    data: {dataset: multi30k}
===
=== plots/tables/gone.yaml
table: gone
sweep: gone.yaml
stage: mt
metric: test/bleu
direction: max
rows: [{label: one, where: {steps: 3}}, {label: two, where: {steps: 4}}]
columns: [{label: bleu}]
paper: {one: {bleu: 30.1}}
===
$ rethink table gone --format csv
table,profile,row,column,<any>
gone,,one,bleu,test/bleu@last,,,sd,0,1,0,30.1,,,,,,,,needs data,,,,
gone,,two,bleu,test/bleu@last,,,sd,0,1,0,,,,,,,,,needs data,,,,
[exit 1]

$ rethink table gone
gone
...
[a] needs data: bring <any> to multi30k in the folder of data sets
NOT COMPLETE: 2 of 2 cells need data that is not here; name its folder with --data or RETHINK_DATA, or get it: bring <any>
no profile
[exit 1]

$ rethink why gone one bleu
gone, row one, column bleu: no number, 0 of 1 seed
  value: test/bleu@last
  paper: 30.1
  needs data: bring <any>
[exit 1]

$ rethink table gone --run
<any>gone.yaml:7:21: error: data set 'multi30k' needs <any>
      data: {dataset: multi30k}
                      ^
[exit 2]

=== plots/figures/gone.yaml
figure: gone
kind: curves
sweep: gone.yaml
stage: mt
metric: dev/loss
series: [{axis: steps}]
===
$ rethink figure gone
gone: 2 of 2 points need data that is not here; <any>
gone: not drawn: 2 of 2 points need data that is not here; <any>
[exit 1]

=== plots/claims/both.yaml
claims: both
list:
  - {claim: first, says: b beats a, table: here, test: better, row: b, than: a}
  - {claim: second, says: no worse, table: gone, test: not_worse, margin: 1, row: one, than: two}
===
$ rethink claims both --format csv
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
both,first,undecided,<any>
both,second,undecided,seeds,no worse,no seed has values of both; trials are missing,<any>"needs data: bring <any>
[exit 1]

$ rethink report both gone 2>errors
out/report.html
[exit 1]

$ cat errors
not complete: claims both: 2 of 2 claims wait for trials
...

# The contents of a published data set are known without its files, so its trials have ids.
=== plots/tables/published.yaml
table: published
sweep: data.yaml
stage: lm
metric: test/perplexity
direction: min
rows: [{label: one}]
columns: [{label: ppl}]
===
$ rethink table published --format csv
table,profile,row,column,<any>
published,,one,ppl,test/perplexity@last,,,sd,0,1,0,,,,,,,,,missing,<id>,,,
[exit 1]

# A broken sweep affects only its own claims.
=== broken.yaml
sweep: broken
seeds: [0]
stages: {lm: {job: lm, stepz: 3}}
===
=== plots/tables/unplanned.yaml
table: unplanned
sweep: broken.yaml
stage: lm
metric: test/perplexity
direction: min
rows: [{label: one}]
===
=== plots/claims/broken.yaml
claims: broken
list:
  - {claim: first, says: b beats a, table: here, test: better, row: b, than: a}
  - {claim: second, says: one beats one, table: unplanned, test: better, row: one, than: one}
===
$ rethink claims broken --format csv 2>errors
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
broken,first,undecided,seeds,b beats a,no seed has values of both; trials are missing,5 seeds (the fewest that give a verdict): <n> <any> planned,,here,false,0,<n>,0.0,,,,,,,,,<any>
broken,second,undecided,seeds,one beats one,"table unplanned cannot be made: <any>broken.yaml:<any>",its table,,unplanned,false,0,0,0.0,,,,,,,,,<any>
[exit 2]

$ head -n 1 errors
left out table unplanned: <any>broken.yaml:<any>

$ rethink report broken 2>errors
out/report.html
[exit 1]

$ cat errors
not complete: claims broken: 1 of 2 claims wait for trials
not complete: claims broken: left out table unplanned: <any>broken.yaml:<any>
...

# In a table with several sweeps the test covers the columns that can be planned, in whichever sweep they are.
=== plots/tables/halves.yaml
table: halves
sweep: broken.yaml
stage: lm
metric: test/perplexity
direction: max
rows: [{label: a, where: {tag: a}}, {label: b, where: {tag: b}}]
columns:
  - {label: gone}
  - {label: here, sweep: here.yaml, stage: noop, metric: dev/score}
  - {label: mean, mean_of: [gone, here]}
paper: {a: {gone: 1, here: 2}}
notes: [{text: of what is gone, columns: [gone]}]
===
=== plots/claims/halves.yaml
claims: halves
list:
  - {claim: of_here, says: b beats a, table: halves, column: here, test: better, row: b, than: a}
  - {claim: of_gone, says: b beats a, table: halves, column: gone, test: better, row: b, than: a}
  - {claim: of_both, says: b beats a, table: halves, column: mean, test: better, row: b, than: a}
===
$ rethink table here --run --slots 1 --quiet > table; rethink claims halves --format csv 2>errors
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
halves,of_here,undecided,seeds,b beats a,<any> over 2 seeds<any>,<any>
halves,of_gone,undecided,seeds,b beats a,"column 'gone' of table halves cannot be made: <any>broken.yaml:<any>",its table,,halves,false,0,0,0.0,,,,,,,,,<any>
halves,of_both,undecided,seeds,b beats a,"column 'mean' of table halves cannot be made: <any>broken.yaml:<any>",its table,,halves,false,0,0,0.0,,,,,,,,,<any>
[exit 2]

$ grep -A 1 '^left out' errors
left out column 'gone' of table halves, column 'mean' of table halves, all for the same reason:
  'data' is missing<any>

$ rethink report halves 2>errors
out/report.html
[exit 1]

$ cat errors
not complete: claims halves: left out column 'gone' of table halves: <any>broken.yaml:<any>
...
