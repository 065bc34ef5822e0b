# BET's language model in plain PyTorch has rows in the WikiText-2 table of the installation.
$ rethink init --template bet-lm bet >/dev/null 2>&1; mkdir -p data/wikitext-2; for split in train valid test; do yes 'some words of a line that is long enough' | head -n 20 >data/wikitext-2/wiki.$split.tokens; done; rethink table bet/bet_lm_table.yaml --profile smoke --data data --format csv >all.csv 2>/dev/null; grep -o '^bet_lm,smoke,"[^"]*PyTorch",[^,]*,[^,]*' all.csv; grep -c '^bet_lm,smoke' all.csv
bet_lm,smoke,"Transformer, plain PyTorch",WikiText-2,test/line_perplexity@best
bet_lm,smoke,"Transformer, plain PyTorch",per token,test/perplexity@best
bet_lm,smoke,"BET(SF), plain PyTorch",WikiText-2,test/line_perplexity@best
bet_lm,smoke,"BET(SF), plain PyTorch",per token,test/perplexity@best
30

# Its table has the lines of the installation's table, and more rows.
$ grep -vxFf bet/bet_lm_table.yaml "$FIXTURES/../../plots/tables/bet/table2_wikitext2.yaml"
table: bet/table2_wikitext2
title: BET, Table 2, WikiText-2 (test perplexity)
sweep: experiments/sweeps/bet/overall_lm.yaml

# Beside trained rows, a program's rows have the marks of a fair comparison: this program read fewer tokens.
=== train_lm.py
import rethink

dense = rethink.config()["attention"] == "dense"
rethink.log(8, **{name: 9.0 if dense else 8.5 for name in ("dev/perplexity", "test/perplexity", "test/line_perplexity")})
rethink.log(8, parameters=1000, tokens_seen=512)
===
$ cp train_lm.py bet; rethink run bet/bet_lm.yaml bet/overall_lm --profile smoke --data data --skip-missing-data --quiet 2>/dev/null; rethink table bet/bet_lm_table.yaml --profile smoke --data data | grep -E '^(Transformer|BET.SF.), plain|^Transformer  |^.[a-z]. unlike arms'
Transformer                          <n> [a]    54.53        <n>                         <n> [a]
Transformer, plain PyTorch           9.00 [b]                          +<n>                 9.00 [b]   +<n>
BET(SF), plain PyTorch               8.50 [b]                          +<n>                 8.50 [b]   +<n>
[b] unlike arms: training tokens: 512 against <n> of Transformer
