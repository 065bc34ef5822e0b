#include "app/driver/show/plan_notes/code_notes.h"

#include <algorithm>

#include "app/driver/cli/note_report.h"

namespace rethink {

std::vector<ChangedCode> report_changed_code(const std::vector<Plan>& plans, Store& store,
                                             const CommandContext& context) {
  std::vector<std::string> trials;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) trials.push_back(planned.trial.id);
  }
  std::vector<ChangedCode> changed = changed_code(store, trials, context.schema());
  for (const ChangedCode& one : changed)
    print_note(note_on(one, context.store, ChangedTrials::of_plan));
  return changed;
}

void print_changed_code(const std::vector<std::string>& trials, Store& store,
                        const CommandContext& context) {
  if (context.quiet) return;
  const std::vector<ChangedCode> own = changed_code(store, trials, context.schema());
  if (own.empty()) return;
  for (const ChangedCode& one : changed_code(store, context.schema())) {
    const bool is_own = std::ranges::any_of(own, [&](const ChangedCode& other) {
      return other.change.plugin == one.change.plugin && other.change.before == one.change.before;
    });
    if (is_own) print_note_once(note_on(one, context.store, ChangedTrials::of_store));
  }
}

}  // namespace rethink
