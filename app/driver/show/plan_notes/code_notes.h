// Notes on done trials that were made with older code of a plug-in.
#pragma once

#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "results/records/changed_code.h"

namespace rethink {

/// Writes a note for each changed plug-in of the plans' trials in the store to standard error.
std::vector<ChangedCode> report_changed_code(const std::vector<Plan>& plans, Store& store,
                                             const CommandContext& context);

/// Writes such a note for each changed plug-in of the trials behind a table or a figure. It counts all done trials of
/// the store, as `accept` does. A note appears once, however many tables it concerns; with --quiet never.
void print_changed_code(const std::vector<std::string>& trials, Store& store,
                        const CommandContext& context);

}  // namespace rethink
