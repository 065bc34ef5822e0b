#include "experiments/plan/trial_changes.h"

#include <map>

#include "core/error.h"
#include "core/message.h"
#include "core/text.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

std::map<std::string, Json> leaves_by_name(const Json& object) {
  std::map<std::string, Json> leaves;
  each_leaf(object, [&](const std::string& key, const Json& value) { leaves[key] = value; });
  return leaves;
}

/// Whether the value is an empty map that has members among the leaves of the other side: these
/// are the changes.
bool is_filled(const std::string& key, const Json& value,
               const std::map<std::string, Json>& other) {
  const std::string begin = key + ".";
  const auto first = other.lower_bound(begin);
  return value.is_object() && first != other.end() && first->first.starts_with(begin);
}

}  // namespace

std::vector<Change> changes_between(const Json& before, const Json& after) {
  const std::map<std::string, Json> old_leaves = leaves_by_name(before),
                                    new_leaves = leaves_by_name(after);
  std::vector<Change> changes;
  for (const auto& [key, value] : old_leaves) {
    const auto other = new_leaves.find(key);
    if (is_filled(key, value, new_leaves)) continue;
    if (other == new_leaves.end())
      changes.push_back({key, value, std::nullopt});
    else if (other->second != value)
      changes.push_back({key, value, other->second});
  }
  for (const auto& [key, value] : new_leaves) {
    if (!old_leaves.count(key) && !is_filled(key, value, old_leaves))
      changes.push_back({key, std::nullopt, value});
  }
  return changes;
}

std::string values_of(const Change& change) {
  const auto text = [](const std::optional<Json>& value) {
    return value ? one_line(text_of(*value)) : "nothing";
  };
  return text(change.before) + " -> " + text(change.after);
}

std::string text_of(const std::vector<Change>& changes, size_t shown) {
  std::vector<std::string> texts;
  for (const Change& change : changes) texts.push_back(change.key + " " + values_of(change));
  return first_names(texts, shown);
}

Json identity_parts(const Trial& trial) {
  Json parts = Json::object();
  if (trial.seed) parts["seed"] = *trial.seed;
  for (const auto& [slot, ids] : trial.needs) parts["needs"][slot] = joined(ids, " ");
  for (const auto& [slot, hash] : trial.imported) parts["imported"][slot] = hash;
  for (const auto& [file, hash] : trial.data) parts["contents of " + file] = hash;
  for (const auto& [plugin, revision] : trial.revisions) parts["revision"][plugin] = revision;
  return parts;
}

}  // namespace rethink
