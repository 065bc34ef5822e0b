// Horizontal bars in gnuplot's words. A figure of SeriesLook::bars has one series, whose points are
// its bars, by x from the top.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// Returns the height of the plot itself [pixels].
double height_of_bars(const Figure& figure);

/// Returns ranges, the names of the bars and labels. Throws ConfigError if `from` and `to` of y leave nothing.
std::string bar_axes(const Figure& figure);

/// Returns bars from 0, their error bars, and each number at the end of its bar.
std::string bar_plot(const Figure& figure);

}  // namespace rethink
