// A table whose cells of trials are measured. Takes the lines, the trials of each cell and their records; cells that are
// made of others are still empty.
#pragma once

#include "plots/table/cells/measured_cell.h"
#include "plots/table/lines/table_lines.h"

namespace rethink {

struct MeasuredTable : TableLines {
  Cells<MeasuredCell> cells;
};

/// Marks also what a cell's column says of it: a fact that its trials do not leave, arms that are unlike.
MeasuredTable measured_table(TableLines lines, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records);

}  // namespace rethink
