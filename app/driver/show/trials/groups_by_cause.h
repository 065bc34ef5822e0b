// Groups of trials that ended badly for the same cause, so that the cause is printed once.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/trial_state.h"

namespace rethink {

/// Number of trials of a group that are named unless all are requested.
constexpr size_t kMostNamedOfACause = 3;

/// Returns the items grouped by equal state and message, groups and items in the order of `items`.
/// Requires: `items` outlives the result; an item has the members `state` and `message`.
template <typename Item>
std::vector<std::vector<const Item*>> groups_by_cause(const std::vector<const Item*>& items) {
  std::vector<std::vector<const Item*>> groups;
  std::map<std::pair<TrialState, std::string>, size_t> place_of;
  for (const Item* item : items) {
    const auto [place, is_new] = place_of.try_emplace({item->state, item->message}, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(item);
  }
  return groups;
}

}  // namespace rethink
