// The state as which a trial counts in tables, curves and means.
#pragma once

#include <string>

namespace rethink {

/// SQL for that state of row `t` of table trial: its own, or `done` for a trial whose result was set
/// aside because it runs again for its files, until the repetition is done, and for good where that fails or
/// is cancelled: one of its attempts is done, of which all numbers are there. An attempt whose result or
/// whose events are damaged is not done (ingest, index_trial).
std::string counted_state_sql();

/// SQL for whether the repetition of such a trial ended without a result.
std::string has_kept_result_sql();

}  // namespace rethink
