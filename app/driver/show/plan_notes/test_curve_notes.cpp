#include "app/driver/show/plan_notes/test_curve_notes.h"

#include <fmt/format.h>

#include <string>

#include "app/driver/cli/note_report.h"
#include "core/json.h"
#include "core/message.h"
#include "results/records/known_trials.h"

namespace rethink {
namespace {

bool asks_for_test_curve(const Json& config) {
  const auto evaluate = config.find("evaluate");
  if (evaluate == config.end() || !evaluate->is_object()) return false;
  const auto test = evaluate->find("test");
  return test != evaluate->end() && *test == "each";
}

}  // namespace

void report_missing_test_curves(const std::vector<Plan>& plans, Store& store,
                                const CommandContext& context) {
  for (const Plan& plan : plans) {
    std::vector<std::string> asked;
    for (const PlannedTrial& planned : plan.trials) {
      if (asks_for_test_curve(planned.trial.config)) asked.push_back(planned.trial.id);
    }
    if (asked.empty()) continue;
    const std::vector<std::string> without = tested_at_the_end(store, asked);
    if (without.empty()) continue;
    const bool is_one = without.size() == 1;
    print_note(Note(
        "no-test-curve",
        fmt::format("{} of stages with `evaluate.test: each` {} tested at the end alone and {} not "
                    "evaluated again; for a curve of test, train {} again: {}, then run the sweep",
                    counted(without.size(), "done trial"), is_one ? "was" : "were",
                    is_one ? "is" : "are", is_one ? "it" : "each",
                    store_command("rm " + (is_one ? without.front() : "TRIAL"), context.store)),
        Position{plan.file.string()}));
  }
}

}  // namespace rethink
