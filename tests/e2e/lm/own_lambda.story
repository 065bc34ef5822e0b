# Another value of λ in SparseBERT's Table 3 is trained, and has a row with values.
# only with bin/stand_in_data: the data are made up
=== few
rethink "$@" --profile smoke --data data --set "stages.search.grid.model.attention.$word=[0.3]" --set 'task=[RTE]' --set 'arm=[Star]' --set 'form=[structured]'
===
$ stand_in_data data

# λ has two names, which give the same trials.
$ for word in lambda penalty; do export word; sh few plan sparsebert/masks --format json >$word.json 2>/dev/null; done; cmp lambda.json penalty.json; grep -c '"model.attention.lambda": "0.3"' lambda.json
1

$ export word=lambda; sh few table sparsebert/table3 --run --format csv --quiet >table.csv 2>said; echo exit $?
exit 0
$ grep 'λ=0.3' table.csv | cut -d , -f 3,4,10,11 | grep ',1,0$'
DAMs (λ=0.3),Sparsity,1,0
DAMs (λ=0.3),Sparsity at mean lengths,1,0
DAMs (λ=0.3),RTE,1,0
DAMs (λ=0.3),Average,1,0
DAMs (λ=0.3),Mean of 5,1,0
$ grep 'λ=0.3' table.csv | awk -F , '$4 == "RTE" && $6 >= 0 && $6 <= 100 && $4 != ""' | wc -l
1

# A dense model has no mask, so its row is complete without a sparsity.
$ grep '^sparsebert/table3,smoke,BERT-base' table.csv | grep -c 'Sparsity.*not applicable'
2
