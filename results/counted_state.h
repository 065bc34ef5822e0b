// The state as which a trial counts in tables, curves and means.
#pragma once

#include <string>

namespace rethink {

/// SQL for that state of row `t` of table trial: its own, or `done` for a trial whose result was set
/// aside because it runs again for its files, until the repetition is done. A trial with a damaged
/// attempt may lack numbers that it had when it was done, and counts as what it is.
std::string counted_state_sql();

}  // namespace rethink
