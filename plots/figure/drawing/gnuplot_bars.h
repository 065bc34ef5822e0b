// Horizontal bars in gnuplot's words. A figure of SeriesLook::bars has one series, whose points are
// its bars, by x from the top.
#pragma once

#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// Returns the height of the plot itself [pixels].
double height_of_bars(const Figure& figure);
/// Returns the lines of the label below the axis. Throws as label_lines.
std::vector<std::string> bar_label_lines(const Figure& figure);

/// Returns margins, ranges, the names of the bars and labels. The axis is longer than `to` of y if a
/// number at the end of its bar needs room. Throws ConfigError if `from` and `to` of y leave
/// nothing, or as label_lines and fitting_tics.
std::string bar_axes(const Figure& figure);

/// Returns bars from 0, their error bars, and each number at the end of its bar.
std::string bar_plot(const Figure& figure);

}  // namespace rethink
