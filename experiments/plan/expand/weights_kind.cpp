#include "experiments/plan/expand/weights_kind.h"

#include <fmt/format.h>

namespace rethink {
namespace {

/// "encoder", "decoder"; "" for any.
std::string kind_of_weights(const PluginSchema& plugin) {
  return plugin.facts.value("weights_of", "");
}

}  // namespace

bool report_other_weights(const std::vector<ExpandedStage>& stages, const PluginSchema& reader,
                          const Need& need, const ExpandedStage& parent, Problems& problems) {
  const ExpandedStage* source = &parent;
  while (const auto gathers = source->gathers()) {
    const size_t candidates = source->need_stages[*gathers];
    if (candidates == kNoStage) return false;
    source = &stages[candidates];
  }
  const std::string wanted = kind_of_weights(reader), left = kind_of_weights(*source->job);
  if (wanted.empty() || left.empty() || wanted == left) return false;
  problems.add(
      need.where,
      fmt::format("{} '{}' loads {} weights, but stage '{}' (job {}) leaves {} weights; let "
                  "'{}' name a stage that leaves {} weights",
                  reader.registry, reader.name, wanted, source->spec->name, source->job->name, left,
                  need.slot, wanted));
  return true;
}

}  // namespace rethink
