# gnuplot rates.gp draws rates.svg, .pdf and .png from rates.dat
DATA = './rates.dat'
set encoding utf8
set grid lt 1 lc rgb "#E4E4E4" lw 0.6
set border lc rgb "#444444"
set tics textcolor rgb "#222222"
set format "%h"
set clip two
set label "A \"title\"" at screen 0.5,0.9672 center noenhanced font ",13"
set key at screen 0.5,0.9381 center top vertical maxrows 1 Left reverse samplen 4 noenhanced
set tmargin at screen 0.8962
set bmargin at screen 0.1847
set label "profile small; mean ± standard deviation over 1 to 3 seeds" at screen 0.02,0.0503 left noenhanced font ",10" textcolor rgb "#444444"
set label "NOT COMPLETE: 2 of 9 trials are missing" at screen 0.02,0.0234 left noenhanced font ",10" textcolor rgb "#B00020"
set xrange [-0.1:2.1]
set yrange [97.58:110.92]
set xtics 1
set xlabel "rate" noenhanced
set ylabel "perplexity" noenhanced
set y2range [52.68353861386139:59.88581782178218]
set ytics nomirror
set y2tics textcolor rgb "#666666"
set y2label "the paper's numbers" noenhanced textcolor rgb "#666666"

set terminal svg size 760,577 dynamic font "DejaVu Sans,12" name "figure" background rgb "white"
set output './rates.svg'
plot DATA index 0 using 1:($3):(0):($4 - ($3)) with vectors heads size screen 0.0025,90 lw 1.2 lc rgb "#0072B2" notitle, \
     DATA index 0 using 1:2 with linespoints pt 7 ps 0.9 lw 2 dt 1 lc rgb "#0072B2" title "scaled" noenhanced, \
     99 with lines lw 1.5 dt 2 lc rgb "#D55E00" title "free" noenhanced, \
     DATA index 2 using 1:2 axes x1y2 with linespoints pt 6 ps 1.4 lw 2 dt 3 lc rgb "#666666" title "scaled (paper)" noenhanced, \
     DATA index 0 using 1:2 with points pt 7 ps 0.9 lw 2 lc rgb "#0072B2" notitle

set terminal pdfcairo size 7.2in,5.466in font "DejaVu Sans,11"
set output './rates.pdf'
plot DATA index 0 using 1:($3):(0):($4 - ($3)) with vectors heads size screen 0.0025,90 lw 1.2 lc rgb "#0072B2" notitle, \
     DATA index 0 using 1:2 with linespoints pt 7 ps 0.9 lw 2 dt 1 lc rgb "#0072B2" title "scaled" noenhanced, \
     99 with lines lw 1.5 dt 2 lc rgb "#D55E00" title "free" noenhanced, \
     DATA index 2 using 1:2 axes x1y2 with linespoints pt 6 ps 1.4 lw 2 dt 3 lc rgb "#666666" title "scaled (paper)" noenhanced, \
     DATA index 0 using 1:2 with points pt 7 ps 0.9 lw 2 lc rgb "#0072B2" notitle

set terminal pngcairo size 1520,1154 font "DejaVu Sans,12" fontscale 1.5 linewidth 2 pointscale 2 background rgb "white"
set output './rates.png'
plot DATA index 0 using 1:($3):(0):($4 - ($3)) with vectors heads size screen 0.0025,90 lw 1.2 lc rgb "#0072B2" notitle, \
     DATA index 0 using 1:2 with linespoints pt 7 ps 0.9 lw 2 dt 1 lc rgb "#0072B2" title "scaled" noenhanced, \
     99 with lines lw 1.5 dt 2 lc rgb "#D55E00" title "free" noenhanced, \
     DATA index 2 using 1:2 axes x1y2 with linespoints pt 6 ps 1.4 lw 2 dt 3 lc rgb "#666666" title "scaled (paper)" noenhanced, \
     DATA index 0 using 1:2 with points pt 7 ps 0.9 lw 2 lc rgb "#0072B2" notitle
set output
