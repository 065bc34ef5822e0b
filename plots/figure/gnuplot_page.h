// What every picture of gnuplot has around its plot: title, caption, the files it is drawn to. All
// heights are of the SVG, in pixels. Used by gnuplot.cpp and the files gnuplot_*.cpp only.
#pragma once

#include <array>
#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// Of the SVG; the other pictures have the same shape.
inline constexpr double kPageWidth = 760;
/// Left, right and below what is drawn.
inline constexpr double kPageMargin = 14;

inline constexpr std::array<const char*, 3> kPictures = {".svg", ".pdf", ".png"};

/// What `set terminal` says for each of kPictures.
std::array<std::string, kPictures.size()> terminals(double height);

/// The title in as many lines as it needs, at the top of a page of that height.
std::string title_labels(const Figure& figure, double height);
double title_height(const Figure& figure);

/// The caption at the bottom, small: its sentences one after the other, but each that says what is
/// missing begins a line, and is red.
std::string caption_labels(const Figure& figure, double height);
double caption_height(const Figure& figure);

}  // namespace rethink
