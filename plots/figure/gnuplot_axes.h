// Axes of a figure in gnuplot's words, and the points that they leave out.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

struct Range {
  double low = 0, high = 1;
};

/// Of what the x axis shows. Throws ConfigError: nothing lies there, or 0 and less on a logarithmic
/// axis.
Range range_of_x(const Figure& figure);

/// Some point has a bar between measurements.
bool has_measured_bars(const FigureSeries& series);

/// Ranges, tics and labels; of a logarithmic y axis its lower end too, as LOW; SHORT(low, high) tells
/// whether a bar between measurements is shorter than a point is high. Throws as range_of_x.
std::string axes(const Figure& figure);

/// "2 of 9 points are outside of the axes: y is 0.1 to 3 in the data and shown to 1 (y.to)"; "" when
/// the axes show all points, and for panels. Throws NothingDrawn when the axes show none of our
/// points or, in a figure without points of ours, none of the paper's; a line across the figure only
/// counts in a figure that has nothing else.
std::string points_left_out(const Figure& figure);

}  // namespace rethink
