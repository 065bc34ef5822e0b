#include "app/driver/show/code_notes.h"

#include "app/driver/cli/note_report.h"

namespace rethink {

std::vector<ChangedCode> report_changed_code(const std::vector<Plan>& plans, Store& store,
                                             const CommandContext& context) {
  std::vector<std::string> trials;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) trials.push_back(planned.trial.id);
  }
  std::vector<ChangedCode> changed = changed_code(store, trials, context.schema());
  for (const ChangedCode& one : changed) print_note(note_on(one, context.store));
  return changed;
}

}  // namespace rethink
