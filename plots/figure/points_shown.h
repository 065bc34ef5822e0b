// Which points of a figure its axes show: `from` and `to` in a spec may leave out some.
#pragma once

#include <string>

#include "plots/figure/figure.h"

namespace rethink {

/// "2 of 9 points are outside of the axes: y is 0.1 to 3 in the data and shown to 1 (y.to)"; "" when
/// the axes show all points, and for panels. Throws NothingDrawn when the axes show none of our
/// points or, in a figure without points of ours, none of the paper's; a line across the figure only
/// counts in a figure that has nothing else.
std::string points_left_out(const Figure& figure);

}  // namespace rethink
