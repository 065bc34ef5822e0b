#include "app/driver/show/code_notes.h"

#include <iostream>

#include "results/database/database_place.h"
#include "results/store/store.h"

namespace rethink {

std::vector<ChangedCode> report_changed_code(const std::vector<Plan>& plans,
                                             const CommandContext& context) {
  if (!is_store(context.store)) return {};
  std::vector<std::string> trials;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) trials.push_back(planned.trial.id);
  }
  Store store(context.store, Store::Access::read);
  std::vector<ChangedCode> changed = changed_code(store, trials, context.schema());
  for (const ChangedCode& one : changed) std::cerr << note_on(one, context.store) << "\n";
  return changed;
}

}  // namespace rethink
