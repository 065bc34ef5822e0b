// A table with measured cells. It is made from the lines, the trials of each cell and their
// records; derived cells are still empty.
#pragma once

#include "plots/table/cells/measured_cell.h"
#include "plots/table/lines/table_lines.h"

namespace rethink {

struct MeasuredTable : TableLines {
  Cells<MeasuredCell> cells;
};

/// Returns the table, with marks that follow from a cell's column: a fact that its trials lack, arms that are unlike.
MeasuredTable measured_table(TableLines lines, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records);

}  // namespace rethink
