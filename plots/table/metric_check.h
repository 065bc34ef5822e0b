// Whether the trials of a table will have its metrics and artifacts, told from the plan: a slip of
// the pen costs no training.
#pragma once

#include "core/config/schema.h"
#include "plots/table/grid.h"

namespace rethink {

/// Throws ConfigError with every metric that a cell's trials (of a select stage: those it chooses
/// among) will not record, by the facts of their jobs (experiments/plan/expand/recorded_metrics.h), and
/// every fact and kind of places of an artifact that their jobs do not leave. A column that may be
/// unplanned loses such trials instead. Requires: `grid` was made of `spec` and `plans`.
void check_metrics(const TableSpec& spec, Grid& grid, const Plans& plans, const Schema& schema);

}  // namespace rethink
