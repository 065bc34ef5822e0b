// A table whose means and ratios are filled in. Takes measured cells; each derived cell is made of cells of its row, seed
// by seed, and has their marks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/table/cells/measured_table.h"

namespace rethink {

struct DerivedTable : TableLines {
  Cells<MeasuredCell> cells;
};

/// `grid`: that the measured table was made of. A column whose decimals the spec leaves open gets as many as its numbers need.
DerivedTable derived_table(MeasuredTable measured, const TableSpec& spec, const Grid& grid);

/// A cell made of other cells, seed by seed: their mean, or the first over the second. Missing if one is; marked if
/// the parts have fewer than `wanted_seeds` in common.
MeasuredCell combine_cells(const std::vector<const MeasuredCell*>& parts, CellKind kind,
                           const std::string& spread, int64_t wanted_seeds);

}  // namespace rethink
