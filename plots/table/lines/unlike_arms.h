// Check of properties that arms should share, and marks of cells whose arms differ in them.
#pragma once

#include <string>
#include <vector>

#include "plots/table/cells/measured_table.h"

namespace rethink {

/// Fills arm_facts: parameters, tokens seen, device and candidates, less what `spec` says arms are meant to differ in;
/// and marks cells that differ from their baseline's (or the column's first row's).
void mark_unlike_arms(MeasuredTable& table, const TableSpec& spec, const Grid& grid,
                      const TrialRecords& records);

/// What these two differ in, in words: "parameters: 1010 against 1000 of dense". `name`: the other's. Nothing of cells
/// of no metric.
std::vector<std::string> unlike_texts(const MeasuredCell& cell, const MeasuredCell& other,
                                      const std::string& name);

}  // namespace rethink
