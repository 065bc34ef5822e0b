#include "app/driver/show/plan_notes/mask_notes.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "models/masks/mask.h"

namespace rethink {
namespace {

constexpr int64_t kAssumedTokens = 128;  // for a mask without a length beside it

/// The length in the options of the plug-in that has the option `pattern`.
int64_t length_beside(const ChosenPlugin& pattern, const Json& config) {
  const size_t end = pattern.path.rfind('.');
  const Json* owner =
      end == std::string::npos ? &config : find_path(config, pattern.path.substr(0, end));
  return owner ? owner->value("length", kAssumedTokens) : kAssumedTokens;
}

std::string arm_of(const PlannedTrial& planned) {
  std::vector<std::string> labels;
  for (const auto& [axis, label] : planned.labels) labels.push_back(axis + "=" + label);
  return labels.empty() ? "every trial" : joined(labels);
}

}  // namespace

std::vector<Note> notes_on_masks(const Plan& plan, const Schema& schema) {
  std::vector<Note> notes;
  std::set<std::string> seen;                                                // stage, options, n
  std::map<std::pair<std::string, std::vector<uint8_t>>, std::string> arms;  // stage, cells
  for (const PlannedTrial& planned : plan.trials) {
    const Json& config = planned.trial.config;
    const OptionsSchema& options = schema.find("job", planned.trial.job)->options;
    for (const ChosenPlugin& chosen : plugins_chosen(config, options, schema)) {
      if (chosen.plugin->registry != masks().kind()) continue;
      const int64_t n = length_beside(chosen, config);
      if (!seen.insert(fmt::format("{} {} {}", planned.stage, chosen.options->dump(), n)).second)
        continue;
      Mask mask = make_mask(mask_choice(*chosen.options), 1, n);
      const std::string arm = arm_of(planned);
      const Position where{plan.file.string()};
      if (sparsity(mask) == 0)
        notes.push_back(Note("dense-mask",
                             fmt::format("stage '{}', {}: {} hides nothing: it is dense attention",
                                         planned.stage, arm, chosen.path),
                             where));
      const auto [first, is_new] = arms.try_emplace({planned.stage, std::move(mask.cells)}, arm);
      if (!is_new)
        notes.push_back(Note("equal-masks",
                             fmt::format("stage '{}', {}: {} is the same mask as that of {}",
                                         planned.stage, arm, chosen.path, first->second),
                             where));
    }
  }
  return notes;
}

}  // namespace rethink
