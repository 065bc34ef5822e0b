# Masks as text, CSV and pictures; what is misspelt is an error with a suggestion.
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
--set widnow=3: error: unknown key 'mask.widnow'; did you mean 'window'?; known: <any>
[exit 2]

$ rethink mask star --n 0
--n: got 0, expected from 1 to 4096
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
