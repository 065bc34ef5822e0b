#include "app/driver/show/code_notes.h"

#include <iostream>

namespace rethink {

std::vector<ChangedCode> report_changed_code(const std::vector<Plan>& plans, Store& store,
                                             const CommandContext& context) {
  std::vector<std::string> trials;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) trials.push_back(planned.trial.id);
  }
  std::vector<ChangedCode> changed = changed_code(store, trials, context.schema());
  for (const ChangedCode& one : changed) std::cerr << note_on(one, context.store) << "\n";
  return changed;
}

}  // namespace rethink
