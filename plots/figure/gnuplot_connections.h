// Connection maps in gnuplot's words: blocks of the data file and a plot for each layer. Used by
// gnuplot.cpp only.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// Of each layer a block of lines for every kind of connection that it has, and of each map one of
/// the tokens that are of entities.
std::string connections_data(const Figure& figure);
/// Of the SVG [pixels].
double connections_height(const Figure& figure);
/// The plots of all layers, with title, legend and caption.
std::string connections_plots(const Figure& figure);

}  // namespace rethink
