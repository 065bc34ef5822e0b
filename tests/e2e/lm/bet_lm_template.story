# BET's language model in plain PyTorch has rows in the WikiText-2 table of the installation.
$ rethink init --template bet-lm bet >/dev/null 2>&1; mkdir -p data/wikitext-2; for split in train valid test; do yes 'some words of a line that is long enough' | head -n 20 >data/wikitext-2/wiki.$split.tokens; done; rethink table bet/bet_lm_table.yaml --profile smoke --data data --format csv >all.csv 2>/dev/null; grep -o '^bet_lm,smoke,"[^"]*PyTorch",[^,]*,[^,]*' all.csv; grep -c '^bet_lm,smoke' all.csv
bet_lm,smoke,"Transformer, plain PyTorch",WikiText-2,test/line_perplexity@best
bet_lm,smoke,"Transformer, plain PyTorch",per token,test/perplexity@best
bet_lm,smoke,"BET(SF), plain PyTorch",WikiText-2,test/line_perplexity@best
bet_lm,smoke,"BET(SF), plain PyTorch",per token,test/perplexity@best
30
