// Values that a table asks for and its trials do not have: refused before a run, explained after it.
#pragma once

#include <functional>

#include "core/config/schema.h"
#include "plots/table/grid.h"
#include "plots/table/table.h"
#include "results/query/recorded_names.h"

namespace rethink {

/// Throws ConfigError with every metric that a cell's trials (of a select stage: those it chooses
/// among) will not record, by the facts of their jobs (experiments/plan/expand/recorded_metrics.h), and
/// every fact and kind of places of an artifact that their jobs do not leave. A column that may be
/// unplanned loses such trials instead. Requires: `grid` was made of `spec` and `plans`.
void check_metrics(const TableSpec& spec, Grid& grid, const Plans& plans, const Schema& schema);

/// What trials recorded, asked only where a value lacks.
using RecordedNamesOf = std::function<RecordedNames(const std::vector<std::string>& trials)>;

/// Which measurements a job records is known from its trials alone. Of a column of measurements or
/// facts that no trial of a stage has, each cell without a value says what these trials recorded:
/// "no trial of stage 'speed' has recorded measurement 'forwrd_ms'; did you mean ...; recorded are:
/// ..."; so do the means and ratios of such cells. `grid`: what the table was made of.
void explain_unrecorded(Table& table, const Grid& grid, const RecordedNamesOf& recorded);

}  // namespace rethink
