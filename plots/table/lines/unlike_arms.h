// Checks properties that arms should share, and marks cells whose arms differ in them.
#pragma once

#include <string>
#include <vector>

#include "plots/table/cells/measured_cell.h"

namespace rethink {

/// Fills arm_facts: parameters, tokens seen, device and candidates, without those that `spec`
/// allows to differ. Marks cells that differ from their baseline's (or the column's first row's).
void mark_unlike_arms(MeasuredTable& table, const TableSpec& spec, const Grid& grid,
                      const TrialRecords& records);

/// Returns the differences of two cells in words: "parameters: 1010 against 1000 of dense". `name`
/// is the other's name. Empty for cells that are not of a metric.
std::vector<std::string> unlike_texts(const MeasuredCell& cell, const MeasuredCell& other,
                                      const std::string& name);

}  // namespace rethink
