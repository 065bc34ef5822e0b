// Values that a table requests and its trials lack: an error before a run, explained after it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "plots/table/lines/grid.h"
#include "plots/table/table.h"
#include "results/query/recorded_names.h"

namespace rethink {

/// Throws ConfigError with every metric that a cell's trials (of a select stage: those it chooses
/// among) will not record, by the facts of their jobs (experiments/plan/expand/recorded_metrics.h), and
/// every fact and kind of places of an artifact that their jobs do not leave. A column that may be
/// unplanned loses such trials instead. Requires: `grid` was made of `spec` and `plans`.
void check_metrics(const TableSpec& spec, Grid& grid, const Plans& plans, const Schema& schema);

/// A column of measurements or facts, and rows of which it has trials of one stage, some done without the value.
struct StageWithoutValues {
  size_t column = 0;
  std::string stage;
  std::vector<size_t> rows;
  std::vector<std::string> trials;  // of these cells
};
/// `grid`: what the table was made of.
std::vector<StageWithoutValues> stages_without_values(const Table& table, const Grid& grid);

/// Which measurements a job records is known from its trials alone. Where none of `stage.trials` has the value, each
/// cell without it says what they recorded: "no trial of stage 'speed' has recorded measurement 'forwrd_ms'; did you
/// mean ...; recorded are: ..."; so do the means and ratios of such cells.
void explain_unrecorded(const StageWithoutValues& stage, const RecordedNames& recorded,
                        Table& table);

}  // namespace rethink
