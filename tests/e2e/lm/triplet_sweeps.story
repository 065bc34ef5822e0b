# A3's shipped sweep of GLUE, on tasks made up here: a BERT of twelve layers and a DistilBERT of six with nearly no
# training, with triplet heads and with FAVOR, four candidates for each arm. Seven tasks have no data here and are left
# out.
=== made_up.sh
mkdir -p data/glue/CoLA data/glue/RTE data/pretrain_text/gutenberg
for i in $(seq 40); do
  printf 's\t%d\ta\tthe creature %d saw the old house\n' $((i % 2)) "$i" >> data/glue/CoLA/train.tsv
  printf '%d\tthe creature saw %d\tit saw the house\t%s\n' "$i" "$i" $([ $((i % 2)) = 0 ] && echo entailment || echo not_entailment) >> rows
done
head -n 20 data/glue/CoLA/train.tsv > data/glue/CoLA/dev.tsv
for split in train dev; do { printf 'index\tsentence1\tsentence2\tlabel\n'; cat rows; } > data/glue/RTE/$split.tsv; done
for i in $(seq 60); do
  printf 'The creature walked to the old house on day %d.\nIt saw a light there, and it waited for hours.\n' "$i"
done > data/pretrain_text/gutenberg/Frankenstein_84.txt
===
$ sh made_up.sh

$ rethink run a3/glue --profile smoke --data data --slots 2 --quiet --skip-missing-data
<any>glue.yaml: note: left out 210 trials, whose data or weights are missing: `rethink data get glue/mnli`; <any>
a3/glue: note: glue/CoLA/dev.tsv here differs from the published file; <any>
a3/glue: note: glue/RTE/dev.tsv here differs from the published file; <any>
[exit 1]

$ rethink query "select stage, count(*) as done from label join runs using (trial) where state = 'done' and label = 'task' group by stage order by stage" --format csv
stage,done
bert_a3,8
bert_dense,8
bert_favor,8
best_bert_a3,2
best_bert_dense,2
best_bert_favor,2
best_distil_a3,2
best_distil_dense,2
best_distil_favor,2
distil_a3,8
distil_dense,8
distil_favor,8

# The lines have the row, the column, and how many of the planned seeds the cell has.
$ rethink table a3/glue --profile smoke --data data --format csv | cut -d, -f3,4,9,10 | grep -E 'CoLA|RTE'
ELMo,CoLA,0,0
ELMo,RTE,0,0
DistilBERT,CoLA,1,1
DistilBERT,RTE,1,1
DistilBERT-A3,CoLA,1,1
DistilBERT-A3,RTE,1,1
DistilBERT-A3-FAVOR,CoLA,1,1
DistilBERT-A3-FAVOR,RTE,1,1
BERT-base,CoLA,1,1
BERT-base,RTE,1,1
BERT-A3,CoLA,1,1
BERT-A3,RTE,1,1
BERT-A3-FAVOR,CoLA,1,1
BERT-A3-FAVOR,RTE,1,1
