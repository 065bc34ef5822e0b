// Heat maps in gnuplot's words: a block of the data file and a plot for each panel. Used by
// gnuplot.cpp only.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// A block for each panel: a line for each row of its matrix.
std::string heatmap_data(const Figure& figure);
/// Of the SVG [pixels]: as many rows of panels as there are.
double heatmap_height(const Figure& figure);
/// The plots of all panels, with title and caption.
std::string heatmap_plots(const Figure& figure);
/// The SVG with cells whose edges stay sharp when they are drawn larger.
std::string with_sharp_cells(const std::string& svg);

}  // namespace rethink
