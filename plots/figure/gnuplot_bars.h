// Horizontal bars in gnuplot's words: a figure of SeriesLook::bars has one series, whose points are its bars, x by x from
// the top.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// Returns the height of the plot itself [pixels].
double height_of_bars(const Figure& figure);

/// Ranges, the names of the bars and labels. Throws ConfigError where `from` and `to` of y leave nothing.
std::string bar_axes(const Figure& figure);

/// Bars from 0, their error bars, and the number of each at its end.
std::string bar_plot(const Figure& figure);

}  // namespace rethink
