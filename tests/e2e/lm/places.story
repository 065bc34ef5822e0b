# A model's learned attention to positions: a table's means over heads, a claim about one trial's heads, and its mask.
=== soft.yaml
sweep: soft
seeds: [0]
stages:
  study:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, attention: {kind: importance}}
    max_length: 128
    batch: 2
    steps: 2
  mask: {job: mask, needs: {importance: study}, ratio: 0.25}
===
=== plots/tables/places.yaml
table: places
sweep: soft.yaml
stage: study
decimals: 1
seeds: 1
rows: [{label: P}]
columns:
  - {label: diagonal, places: importance/diagonal}
  - {label: zeros, places: importance/sparsity}
===
=== plots/claims/places.yaml
claims: places
list:
  - {claim: heads, says: P is above the share of its zeros, table: places, test: better, row: P, column: diagonal, than_column: zeros, direction: max, over: heads}
  - {claim: seeds, says: the same, table: places, test: better, row: P, column: diagonal, than_column: zeros, direction: max}
===
$ rethink run soft.yaml --quiet --slots 1

$ rethink table places --format md
...
| P | 0.5 | 0.0 |
...

$ rethink claims places --format csv
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
places,heads,holds,heads,P is above the share of its zeros,"'diagonal' 0.<n>, 'zeros' 0.<n>: as the claim has it by 0.<n> (95% interval 0.<n> to 0.<n>, p <any>, alpha 0.05, sd <any> over 2 heads of 1 seed)",,,places,true,1,1,0.0,<n>,<n>,<n>,0.95,<n>,<n>,,,<any>
places,seeds,undecided,seeds,the same,"'diagonal' 0.<n>, 'zeros' 0.<n>: as the claim has it by 0.<n> over 1 seed",5 seeds (the fewest that give a verdict): 1 is planned,,places,true,0,1,0.0,,,,,,,,,<any>

# A snapshot has no files, so it has only the means that the trial recorded.
$ rethink db snapshot snap.db
...

$ rethink table places --store snap.db --format md
...
| P | 0.5 | _no value_ |
...
[exit 1]

$ rethink claims places --store snap.db --format csv | grep -c "^places,heads,undecided,.*'zeros': no value"
1

$ rethink mask $(rethink query "select trial from artifact where kind = 'mask'" --format csv | tail -n 1)
trial <id>, n = 128: sparsity 25.0 %, mean over 2 heads
head 1: sparsity 25.0 %, 12288 of 16384 cells
head 2: sparsity 25.0 %, 12288 of 16384 cells

# A damaged file gives no number and no picture, even if it is well-formed and of the same size.
=== plots/figures/heads.yaml
figure: heads
title: P
kind: heatmap
sweep: soft.yaml
stage: study
artifact: importance
tensor: importance
panels: [{label: P}]
===
$ f=$(ls store/trials/*/artifacts/importance.safetensors); cp $f intact; { head -c -2 intact; printf '\0\0'; } > $f; rethink table places --format csv | cut -d, -f 3,6,20; rethink table places | grep -o 'trials/.*importance.*'
row,value,marks
P,,<any>damaged file<any>
P,,<any>damaged file<any>
trials/<id>/artifacts/importance.safetensors is damaged; to restore it: rethink rm <id>, then run its sweep

$ rethink figure heads
heads: panel 'P': <any>importance.safetensors is damaged; to restore it: rethink rm <id>, then run its sweep
heads: not drawn: panel 'P': <any>importance.safetensors is damaged; to restore it: rethink rm <id>, then run its sweep
[exit 1]

$ cp intact $(ls store/trials/*/artifacts/importance.safetensors); rethink table places --format md | grep '^| P'
| P | 0.5 | 0.0 |

# The command in the message on a damaged mask makes the mask again.
$ rethink query "select trial from artifact where kind = 'mask'" --format csv | tail -n 1 > id; echo cut > $(ls store/trials/$(cat id)/artifacts/*); rethink mask $(cat id) 2> said; sed -n 's/.* is damaged; to restore it: \(rethink rm [0-9a-f]*\), then run its sweep$/\1/p' said > remedy; sh remedy
removed 1 trial, <any>
$ rethink run soft.yaml --quiet --slots 1 && rethink mask $(cat id) | head -n 1
trial <id>, n = 128: sparsity 25.0 %, mean over 2 heads
