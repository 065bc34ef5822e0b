#include "app/driver/run/short_titles.h"

#include <algorithm>

#include "core/json.h"

namespace rethink {
namespace {

/// The endings of a dotted name, the shortest first: "lr", "optimizer.lr".
std::vector<std::string> ends_of(const std::string& name) {
  std::vector<std::string> ends;
  for (size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0;
       dot = name.rfind('.', dot - 1))
    ends.push_back(name.substr(dot + 1));
  ends.push_back(name);
  return ends;
}

/// An ending that begins with a list index is not informative: "0.layers" of
/// "model.attention.at.0.layers".
bool is_word(const std::string& end) {
  return !list_index(end.substr(0, end.find('.')));
}

}  // namespace

ShortTitles::ShortTitles(const std::vector<const PlannedTrial*>& trials) {
  for (const PlannedTrial* trial : trials) add(*trial);
  std::map<std::string, int> uses;
  for (const auto& [label, word] : words_) {
    for (const std::string& end : ends_of(label)) ++uses[end];
  }
  for (auto& [label, word] : words_) {
    const std::vector<std::string> ends = ends_of(label);
    const auto own = std::ranges::find_if(
        ends, [&](const std::string& end) { return is_word(end) && uses.at(end) == 1; });
    word = own == ends.end() ? label : *own;
  }
}

void ShortTitles::add(const PlannedTrial& trial) {
  const auto [place, is_first] =
      stages_.try_emplace(trial.stage, Stage{trial.labels, trial.trial.seed});
  Stage& stage = place->second;
  for (const auto& [label, value] : trial.labels) {
    words_.try_emplace(label);
    const auto first = stage.labels.find(label);
    if (first == stage.labels.end() || first->second != value) stage.differs.insert(label);
  }
  if (is_first) return;
  for (const auto& [label, value] : stage.labels) {
    if (!trial.labels.contains(label)) stage.differs.insert(label);
  }
  stage.seeds_differ = stage.seeds_differ || stage.seed != trial.trial.seed;
}

std::string ShortTitles::of(const PlannedTrial& trial) const {
  const auto stage = stages_.find(trial.stage);
  if (stage == stages_.end()) return title_of(trial);
  std::map<std::string, std::string> labels;
  for (const auto& [label, value] : trial.labels) {
    if (stage->second.differs.contains(label)) labels[words_.at(label)] = value;
  }
  return title_of(trial.stage, labels,
                  stage->second.seeds_differ ? trial.trial.seed : std::nullopt);
}

}  // namespace rethink
