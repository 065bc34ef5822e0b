// Axes of a figure in gnuplot's words, and points outside of them.
#pragma once

#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

struct Range {
  double low = 0, high = 1;
};

/// Returns the range of the x axis. Throws ConfigError if it has no values, or values of 0 and less
/// on a logarithmic axis.
Range range_of_x(const Figure& figure);

/// Returns whether a point has a bar between measurements.
bool has_measured_bars(const FigureSeries& series);

/// Returns "set xtics 50\n", the distance of numbers that fit beside each other on a linear axis of
/// this length [pixels]; "" if gnuplot's own numbers fit, unless the least distance is given. Throws
/// ConfigError if there is no room for two numbers.
std::string fitting_tics(const Figure& figure, char axis, const Range& range, double length,
                         double least = 0);

/// Returns the height of the plot itself [pixels], for figures without bars.
double plot_height(const Figure& figure);
/// Returns the lines of the label below the x axis, for figures without bars. Throws as label_lines
/// and range_of_x.
std::vector<std::string> x_label_lines(const Figure& figure);

/// Returns ranges, tics and labels; for a logarithmic y axis also its lower end as LOW. SHORT(low, high) says whether a
/// bar between measurements is shorter than a point is high. Throws as range_of_x, label_lines
/// and fitting_tics.
std::string axes(const Figure& figure);

/// Returns "2 of 9 points are outside of the axes: y is 0.1 to 3 in the data and shown to 1
/// (y.to)"; "" if the axes show all points, and for panels. Throws NothingDrawn if the axes show
/// none of our points or, in a figure without our points, none of the paper's. A line across the
/// figure counts only in a figure that has nothing else.
std::string points_left_out(const Figure& figure);

}  // namespace rethink
