// Notes on done trials of a plan that older code of a plug-in made.
#pragma once

#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "results/query/changed_code.h"

namespace rethink {

/// Writes a note for each changed plug-in of the plans' trials in the store to standard error.
std::vector<ChangedCode> report_changed_code(const std::vector<Plan>& plans, Store& store,
                                             const CommandContext& context);

}  // namespace rethink
