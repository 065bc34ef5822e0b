# Names with markup, in metrics and in settings, are text in tables, figures and reports.
=== markup.sh
for step in 1 2 3; do
  echo "{\"metric\": \"dev/<b>a_b & 50%|x</b>\", \"step\": $step, \"value\": 0.$step}" >> "$RETHINK_EVENTS"
done
=== markup.yaml
sweep: markup
seeds: [0, 1]
stages:
  train:
    job: command
    run: [sh, markup.sh, "{config.arm}"]
    code: [markup.sh]
    grid: {config.arm: ["<i>a_1|50%</i>", "b&c"]}
    metrics: {"dev/<b>a_b & 50%|x</b>": max}
===
$ rethink run markup.yaml --quiet; rethink table markup.yaml --format md | grep '^|'
|  | dev/&lt;b>a\_b & 50%\|x&lt;/b>@last ↑ |
|:--|--:|
| &lt;i>a\_1\|50%&lt;/i> | 0.3000 ± 0.0000 |
| b&c | 0.3000 ± 0.0000 |

$ rethink table markup.yaml --format latex | grep -E '^(\$<|b|.caption| &)'
\caption{dev/$<$b$>$a\_b \& 50\%\textbar{}x$<$/b$>$@last by config.arm}
 & \multicolumn{1}{c}{dev/$<$b$>$a\_b \& 50\%\textbar{}x$<$/b$>$@last $\uparrow$} \\
$<$i$>$a\_1\textbar{}50\%$<$/i$>$ & 0.3000 $\pm$ 0.0000 \\
b\&c & 0.3000 $\pm$ 0.0000 \\

$ rethink table markup.yaml --format html | grep -E '<h2|class="names"|scope="row"'
<h2>dev/&lt;b&gt;a_b &amp; 50%|x&lt;/b&gt;@last by config.arm</h2>
<tr class="names"><th></th><th colspan="1">dev/&lt;b&gt;a_b &amp; 50%|x&lt;/b&gt;@last ↑</th></tr>
<tr><th scope="row">&lt;i&gt;a_1|50%&lt;/i&gt;</th><td>0.3000 ± 0.0000</td></tr>
<tr><th scope="row">b&amp;c</th><td>0.3000 ± 0.0000</td></tr>

# Curves and bars: no name becomes an element of the picture.
$ rethink figure markup.yaml >/dev/null && cat out/figures/markup/*.svg >all.svg; grep -cE '<(i|b)>' all.svg; grep -oE '<text>.*(a_1|a_b).*</text>' all.svg | sort -u
0
<text>&lt;i>a_1|50%&lt;/i></text>
<text>dev/&lt;b>a_b &amp; 50%|x&lt;/b></text>
<text>dev/&lt;b>a_b &amp; 50%|x&lt;/b>@last</text>
<text>markup: dev/&lt;b>a_b &amp; 50%|x&lt;/b></text>
<text>markup: dev/&lt;b>a_b &amp; 50%|x&lt;/b>@last</text>

$ rethink report markup.yaml >/dev/null; grep -cE '<(i|b)>' out/report.html; grep -c 'scope="row">&lt;i&gt;a_1|50%&lt;/i&gt;</th>' out/report.html
0
1

# `why` and `show` print the names as they are.
$ rethink why markup.yaml '<i>a_1|50%</i>' 'dev/<b>a_b & 50%|x</b>@last' | grep -c 'a_1|50%'; rethink show $(ls store/trials | head -1) | grep -F 'a_b & 50%|x'
<n>
dev/<b>a_b & 50%|x</b>    0.3     3   0.3          3
metrics.dev/<b>a_b & 50%|x</b>  max
