// Makes the spec of a table for a sweep that has no spec.
#pragma once

#include <string>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Returns the name of such a table: "SWEEP/STAGE".
std::string name_of_sweep_table(const Plan& plan, const std::string& stage);

/// Returns the text of a table's spec (docs/tables.md) for the trials of `stage`: rows and columns from its axes, the
/// score of its job, better numbers marked. `sweep` is the sweep's name in the spec. Throws ConfigError if the job has
/// no score, or if there are more rows than a spec may have.
std::string table_spec_of_sweep(const Plan& plan, const std::string& sweep,
                                const std::string& stage, const Schema& schema);

}  // namespace rethink
