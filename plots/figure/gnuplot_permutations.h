// Permutations in gnuplot's words: a block of the data file and a plot for each. Used by gnuplot.cpp
// only.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// A line for each word: the word, where it stood, where it goes.
std::string permutations_data(const Figure& figure);
/// Of the SVG [pixels].
double permutations_height(const Figure& figure);
/// The plots of all panels, with title and caption.
std::string permutations_plots(const Figure& figure);

}  // namespace rethink
