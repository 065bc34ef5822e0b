// A note on done trials that have no curve of test although their sweep asks for it.
#pragma once

#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "results/store/store.h"

namespace rethink {

/// Writes a note to standard error if done trials of the plans were tested at the end alone and the plans have
/// `evaluate.test: each`, which does not change their ids.
void report_missing_test_curves(const std::vector<Plan>& plans, Store& store,
                                const CommandContext& context);

}  // namespace rethink
