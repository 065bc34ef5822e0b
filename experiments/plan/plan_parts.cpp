// What a plan says of itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "experiments/plan/plan.h"

namespace rethink {

size_t Plan::distinct() const {
  std::set<std::string> ids;
  for (const PlannedTrial& planned : trials) ids.insert(planned.trial.id);
  return ids.size();
}

std::string PlanChoices::text() const {
  std::string words;
  for (const std::string& setting : settings) words += " --set " + setting;
  if (only_stage) words += " --only " + *only_stage;
  if (seeds) {
    const std::set<int64_t> sorted(seeds->begin(), seeds->end());
    words += fmt::format(" --seeds {}", fmt::join(sorted, ","));
  }
  return words.empty() ? "" : words.substr(1);
}

std::vector<const PlannedTrial*> Plan::of_stage(const std::string& stage) const {
  std::vector<const PlannedTrial*> found;
  for (const PlannedTrial& planned : trials) {
    if (planned.stage == stage) found.push_back(&planned);
  }
  return found;
}

std::string title_of(const std::string& stage, const std::map<std::string, std::string>& labels,
                     std::optional<int64_t> seed) {
  std::string title = stage;
  for (const auto& [label, value] : labels) title += fmt::format(" {}={}", label, one_line(value));
  return seed ? fmt::format("{} seed {}", title, *seed) : title;
}

std::string title_of(const PlannedTrial& planned) {
  return title_of(planned.stage, planned.labels, planned.trial.seed);
}

}  // namespace rethink
