# A trial's predictions of a split that is only a part of the published one are scored on that part, and the scores
# equal those on record.
=== data/glue/MRPC/msr_paraphrase_train.txt
Quality	#1 ID	#2 ID	#1 String	#2 String
1	1	2	ba be bi	ba be
0	3	4	bo bu ba	be
1	5	6	be bi bo	be bi
0	7	8	bu ba be	bo
1	9	10	ba bo	ba bo
0	11	12	bu be	bi
===
=== data/glue/MRPC/dev_ids.tsv
5	6
9	10
11	12
===
=== data/swag/codah_full_data.tsv
o	ba be	bi	bo	bu	ba	0
o	be bi	bo	bu	ba	be	1
o	bi bo	bu	ba	be	bi	2
o	bo bu	ba	be	bi	bo	3
o	bu ba	be	bi	bo	bu	0
o	ba bi	bo	bu	ba	be	1
o	be bo	bu	ba	be	bi	2
o	bi bu	ba	be	bi	bo	3
o	bo ba	be	bi	bo	bu	0
o	bu be	bi	bo	bu	ba	1
===
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents, documents: 20}
    model: {preset: bert_tiny, d_model: 16, heads: 2, ffn: 16, max_positions: 16}
    vocabulary: {size: 200}
    max_length: 16
    steps: 1
    batch: 4
  finetune:
    job: finetune
    needs: {init: pretrain}
    max_length: 16
    steps: 1
    cases: {task: {MRPC: {data.dataset: glue/mrpc}, CODAH: {data.dataset: codah}}}
===
$ rethink run tiny.yaml --data data --quiet 2>/dev/null

=== check.sh
# check.sh DATASET WORD...: scores what the trial on DATASET left of dev, and names the metrics that its record has too.
trial=$(rethink query "select trial from runs where \"data.dataset\" = '$1'" --format csv | tail -n 1)
shift
scores=$(rethink score "$@" --split dev --data data --pred store/trials/$trial/artifacts/dev.tsv 2> /dev/null) &&
rethink query "select name from metric where trial = '$trial' and split = 'dev' and name like '%@last'
  and value = json_extract('$scores', '$.' || replace(name, '@last', '')) order by name" --format csv
===
$ sh check.sh glue/mrpc glue --task mrpc
name
accuracy@last
f1@last

$ sh check.sh codah codah
name
accuracy@last

$ rethink score codah --split dev --pred store/trials/*/artifacts/nothing
data set 'codah' needs swag/codah_full_data.tsv, but no folder of data sets is named: give --data DIR or set RETHINK_DATA
[exit 2]
