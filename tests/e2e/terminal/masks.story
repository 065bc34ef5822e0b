# Masks as text, CSV and pictures; a misspelt name is an error with a suggestion.
$ rethink mask star --n 6
star, n = 6: sparsity 33.3 %, 24 of 36 cells
███▀▀▀
█▀██▄
█  ▀██

$ rethink mask star --n 4 --set diagonal=false --format csv
0,1,1,1
1,0,1,0
1,1,0,1
1,0,1,0

$ rethink mask bigbird | head -n 1
bigbird, n = 128: sparsity 93.2 %, <n> of 16384 cells

$ rethink mask sta
rethink mask sta: error: unknown mask 'sta'; did you mean 'star'?; known: <any>
[exit 2]

$ rethink mask longformer --set widnow=3
--set widnow=3: error: unknown key 'mask.widnow'; did you mean 'mask.window'?; known: <any>
[exit 2]

$ rethink mask star --n 0
--n: got '0', expected a whole number from 1 to 4096
[exit 2]

$ rethink mask star --n 16 --format png
out/masks/star.svg
out/masks/star.pdf
out/masks/star.png
out/masks/star.gp
out/masks/star.dat

# A figure of patterns needs no store.
$ rethink figure sparsebert/figure1
out/figures/sparsebert/figure1.svg
out/figures/sparsebert/figure1.pdf
out/figures/sparsebert/figure1.png
out/figures/sparsebert/figure1.gp
out/figures/sparsebert/figure1.dat

$ grep -c '^plot DATA' out/figures/sparsebert/figure1.gp
18

# A learned mask: all heads with their sparsity, and one of them completely. This file has two heads of two tokens.
$ printf '\104\0\0\0\0\0\0\0{"mask":{"dtype":"U8","shape":[2,2,2],"data_offsets":[0,8]}}        \1\1\0\1\1\0\0\0' >learned.safetensors

$ rethink mask learned.safetensors
learned.safetensors, n = 2: sparsity 50.0 %, mean over 2 heads
head 1: sparsity 25.0 %, 3 of 4 cells
head 2: sparsity 75.0 %, 1 of 4 cells

$ rethink mask learned.safetensors --head 1
learned.safetensors, n = 2: head 1, sparsity 25.0 %, 3 of 4 cells
▀█

$ rethink mask learned.safetensors --head 2 --format csv
1,0
0,0

$ rethink mask learned.safetensors --format png | head -n 1; grep -c '^plot DATA' out/masks/learned.gp
out/masks/learned.svg
6

$ rethink mask learned.safetensors --head 3
--head: got '3', expected a whole number from 1 to 2
[exit 2]

$ rethink mask learned.safetensors --n 16
--n is for patterns: learned.safetensors has 2 heads of 2 tokens
[exit 2]

$ rethink mask learned.safetensors --set diagonal=false
--set is for patterns: a learned mask has no options
[exit 2]

$ printf 'nothing' >learned.safetensors; rethink mask learned.safetensors
learned.safetensors: <any>
[exit 2]
