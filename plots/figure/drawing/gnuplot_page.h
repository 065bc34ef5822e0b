// The page of a gnuplot picture: title, caption, margins, output files. All heights are of the SVG,
// in pixels. Used by gnuplot.cpp, gnuplot_axes.cpp, heatmap.cpp, connections.cpp and
// permutations.cpp only.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// Width of the SVG for a screen, and of all figures with panels; the other pictures have the same shape.
inline constexpr double kPageWidth = 760;
/// Returns the width of this figure's SVG. Letters keep their size, so a narrow picture has room for fewer.
double page_width(const Figure& figure);
/// Size of the letters of labels and numbers, and of a line of them [pixels].
inline constexpr double kLetter = 12, kLabelLine = 15;
/// Left, right and below the drawing.
inline constexpr double kPageMargin = 14;

inline constexpr std::array<const char*, 3> kPictures = {".svg", ".pdf", ".png"};

/// Colour of the paper's series.
inline constexpr const char* kGrey = "#666666";

/// Returns a text for gnuplot, on one line.
std::string quoted(const std::string& text);

/// Returns the drawn width of a text [em].
double drawn_width(const std::string& text);

/// Returns "3.3in", or "760 pixels" for a screen.
std::string shown_width(const Figure& figure);

/// Returns the words of a label in at most `most_lines` lines of `most` pixels. Throws ConfigError if
/// they do not fit.
std::vector<std::string> label_lines(const Figure& figure, const std::string& label, double most,
                                     size_t most_lines = 3);

/// Returns a text of several lines for gnuplot.
std::string quoted(const std::vector<std::string>& lines);

/// Returns commands that place a plot on the page: `left` and `right` as shares of its width, from
/// the left; `top` and `bottom` as shares of its height, from below.
std::string plot_margins(double left, double right, double top, double bottom);

/// Returns the arguments of `set terminal` for each of kPictures.
std::array<std::string, kPictures.size()> terminals(const Figure& figure, double height);

/// Returns the title in as many lines as needed, at the top of a page of this height; none for an empty title.
std::string title_labels(const Figure& figure, double height);
double title_height(const Figure& figure);

/// Returns the sentences below the figure: those of the spec instead of the caption, if it has
/// some, and always those on missing or diverged trials.
std::vector<std::string> shown_caption(const Figure& figure);
/// Returns commands for the caption in small letters at the bottom. A sentence on missing trials
/// begins a line and is red; other sentences follow each other.
std::string caption_labels(const Figure& figure, double height);
double caption_height(const Figure& figure);

}  // namespace rethink
