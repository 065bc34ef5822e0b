// Axes of a figure in gnuplot's words. Used by gnuplot.cpp only.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// Of the paper's series.
inline constexpr const char* kGrey = "#666666";

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

/// A text for gnuplot, on one line.
std::string quoted(const std::string& text);

}  // namespace rethink
