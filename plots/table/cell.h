// One cell from its trials' records, or from other cells.
#pragma once

#include "plots/table/table.h"

namespace rethink {

/// Where a column's cells find their value in a record.
struct CellValue {
  CellKind kind = CellKind::metric;
  ValueName name;
  double scale = 1;  // what is shown is so many times the record's value
};

/// Samples by seed, their mean and spread, and the marks that the trials themselves give.
Cell measure_cell(const CellTrials& trials, const TrialRecords& records, const CellValue& value,
                  const TableSpec& spec);

/// Mean and spread ("sd", "sem", "ci95") of the samples.
void summarize(Cell& cell, const std::string& spread);

/// Says how many seeds diverged, where some did.
void mark_diverged(Cell& cell);

/// One whose trials the sweep or its profile leaves out.
Cell unplanned_cell(CellKind kind);

/// A cell made of other cells of its row, seed by seed: their mean, or the first over the second.
/// Missing if one is; marked if the parts have fewer than `wanted_seeds` in common.
Cell combine_cells(const std::vector<const Cell*>& parts, CellKind kind, const std::string& spread,
                   int64_t wanted_seeds);

}  // namespace rethink
