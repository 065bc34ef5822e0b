// Which columns a column `mean_of` or `ratio` is made of.
#pragma once

#include <vector>

#include "plots/table/grid.h"

namespace rethink {

/// Places in grid.columns of what `grid.columns[column]` is the mean or the ratio of; none for a
/// column that is measured. Each name means one column, as lines_called finds it, or in `mean_of` an
/// axis: all columns of it. Adds a problem for a name that means none or several, and where a mean
/// would count a column twice.
std::vector<size_t> column_parts(size_t column, const Grid& grid, Problems& problems);

}  // namespace rethink
