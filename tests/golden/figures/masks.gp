# gnuplot masks.gp draws masks.svg, .pdf and .png from masks.dat
DATA = './masks.dat'
set encoding utf8

set terminal svg size 760,481 dynamic font "DejaVu Sans,12" name "figure" background rgb "white"
set output './masks.svg'
unset label
set label "Masks" at screen 0.5,0.9607 center noenhanced font ",13"
set label "rows: queries, columns: keys; dark: the query may attend to the key" at screen 0.02,0.0281 left noenhanced font ",10" textcolor rgb "#444444"
set border lc rgb "#BBBBBB"
set tics textcolor rgb "#222222"
unset colorbox
set palette defined (0 "white", 1 "#1A1A1A")
set cbrange [0:1]
set multiplot
set lmargin at screen 0.063158
set rmargin at screen 0.500000
set tmargin at screen 0.834886
set bmargin at screen 0.144657
set title "Star\nsparsity 12.5 %" noenhanced font ",10" offset 0,-0.6
set xrange [-0.53681:3.53681]
set yrange [3.53681:-0.53681]
set xtics out nomirror scale 0.4 font ",8" ("1" 0, "4" 3)
set ytics out nomirror scale 0.4 font ",8" ("1" 0, "4" 3)
plot DATA index 0 matrix with image notitle
unset label
set lmargin at screen 0.544737
set rmargin at screen 0.981579
set tmargin at screen 0.834886
set bmargin at screen 0.144657
set title "none\nsparsity 50.0 %" noenhanced font ",10" offset 0,-0.6
set xrange [-0.518405:1.5184]
set yrange [1.5184:-0.518405]
set xtics out nomirror scale 0.4 font ",8" ("1" 0, "2" 1)
set ytics out nomirror scale 0.4 font ",8" ("1" 0, "2" 1)
plot DATA index 1 matrix with image notitle
unset multiplot

set terminal pdfcairo size 7.2in,4.557in font "DejaVu Sans,11"
set output './masks.pdf'
unset label
set label "Masks" at screen 0.5,0.9607 center noenhanced font ",13"
set label "rows: queries, columns: keys; dark: the query may attend to the key" at screen 0.02,0.0281 left noenhanced font ",10" textcolor rgb "#444444"
set border lc rgb "#BBBBBB"
set tics textcolor rgb "#222222"
unset colorbox
set palette defined (0 "white", 1 "#1A1A1A")
set cbrange [0:1]
set multiplot
set lmargin at screen 0.063158
set rmargin at screen 0.500000
set tmargin at screen 0.834886
set bmargin at screen 0.144657
set title "Star\nsparsity 12.5 %" noenhanced font ",10" offset 0,-0.6
set xrange [-0.53681:3.53681]
set yrange [3.53681:-0.53681]
set xtics out nomirror scale 0.4 font ",8" ("1" 0, "4" 3)
set ytics out nomirror scale 0.4 font ",8" ("1" 0, "4" 3)
plot DATA index 0 matrix with image notitle
unset label
set lmargin at screen 0.544737
set rmargin at screen 0.981579
set tmargin at screen 0.834886
set bmargin at screen 0.144657
set title "none\nsparsity 50.0 %" noenhanced font ",10" offset 0,-0.6
set xrange [-0.518405:1.5184]
set yrange [1.5184:-0.518405]
set xtics out nomirror scale 0.4 font ",8" ("1" 0, "2" 1)
set ytics out nomirror scale 0.4 font ",8" ("1" 0, "2" 1)
plot DATA index 1 matrix with image notitle
unset multiplot

set terminal pngcairo size 1520,962 font "DejaVu Sans,12" fontscale 1.5 linewidth 2 pointscale 2 background rgb "white"
set output './masks.png'
unset label
set label "Masks" at screen 0.5,0.9607 center noenhanced font ",13"
set label "rows: queries, columns: keys; dark: the query may attend to the key" at screen 0.02,0.0281 left noenhanced font ",10" textcolor rgb "#444444"
set border lc rgb "#BBBBBB"
set tics textcolor rgb "#222222"
unset colorbox
set palette defined (0 "white", 1 "#1A1A1A")
set cbrange [0:1]
set multiplot
set lmargin at screen 0.063158
set rmargin at screen 0.500000
set tmargin at screen 0.834886
set bmargin at screen 0.144657
set title "Star\nsparsity 12.5 %" noenhanced font ",10" offset 0,-0.6
set xrange [-0.53681:3.53681]
set yrange [3.53681:-0.53681]
set xtics out nomirror scale 0.4 font ",8" ("1" 0, "4" 3)
set ytics out nomirror scale 0.4 font ",8" ("1" 0, "4" 3)
plot DATA index 0 matrix with image notitle
unset label
set lmargin at screen 0.544737
set rmargin at screen 0.981579
set tmargin at screen 0.834886
set bmargin at screen 0.144657
set title "none\nsparsity 50.0 %" noenhanced font ",10" offset 0,-0.6
set xrange [-0.518405:1.5184]
set yrange [1.5184:-0.518405]
set xtics out nomirror scale 0.4 font ",8" ("1" 0, "2" 1)
set ytics out nomirror scale 0.4 font ",8" ("1" 0, "2" 1)
plot DATA index 1 matrix with image notitle
unset multiplot
set output
