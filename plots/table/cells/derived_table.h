// A table with means and ratios. It is made from measured cells; each derived cell combines cells
// of its row, seed by seed, and has their marks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/table/cells/measured_cell.h"

namespace rethink {

struct DerivedTable : TableLines {
  Cells<MeasuredCell> cells;
};

/// `grid` made the measured table. A column without decimals in the spec gets as many as its numbers need.
DerivedTable derived_table(MeasuredTable measured, const TableSpec& spec, const Grid& grid);

/// Returns a cell made from other cells, seed by seed: their mean, or the first divided by the second. Missing if a
/// part is missing; marked if the parts have fewer than `wanted_seeds` in common.
MeasuredCell combine_cells(const std::vector<const MeasuredCell*>& parts, CellKind kind,
                           const std::string& spread, int64_t wanted_seeds);

}  // namespace rethink
