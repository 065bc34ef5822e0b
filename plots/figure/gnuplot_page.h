// The page of a gnuplot picture: title, caption, margins, output files. All heights are of the SVG,
// in pixels. Used by gnuplot.cpp, gnuplot_axes.cpp, heatmap.cpp, connections.cpp and
// permutations.cpp only.
#pragma once

#include <array>
#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// Of the SVG; the other pictures have the same shape. For a screen; of panels always.
inline constexpr double kPageWidth = 760;
/// Of the SVG of this figure: letters are as large as ever in it, so that a narrow picture has room for fewer.
double page_width(const Figure& figure);
/// Left, right and below what is drawn.
inline constexpr double kPageMargin = 14;

inline constexpr std::array<const char*, 3> kPictures = {".svg", ".pdf", ".png"};

/// Of the paper's series.
inline constexpr const char* kGrey = "#666666";

/// A text for gnuplot, on one line.
std::string quoted(const std::string& text);

/// Commands that place a plot on the page: `left` and `right` are parts of its width, from the left;
/// `top` and `bottom` are parts of its height, from below.
std::string plot_margins(double left, double right, double top, double bottom);

/// What `set terminal` says for each of kPictures.
std::array<std::string, kPictures.size()> terminals(const Figure& figure, double height);

/// The title in as many lines as it needs, at the top of a page of that height; none where the spec has an empty one.
std::string title_labels(const Figure& figure, double height);
double title_height(const Figure& figure);

/// The sentences below the figure: those of the spec in place of the caption, where it has some; what is missing or
/// diverged in any case.
std::vector<std::string> shown_caption(const Figure& figure);
/// At the bottom, small: its sentences one after the other, but each that says what is
/// missing begins a line, and is red.
std::string caption_labels(const Figure& figure, double height);
double caption_height(const Figure& figure);

}  // namespace rethink
