// What a store holds, for comparing with a plan: a few columns of many trials in one query.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

struct KnownTrial {
  std::string id;
  TrialState state;
  std::optional<int64_t> seed;
  std::string configuration, data, imported, revisions;  // JSON as text
};

/// Every trial of `job`, by id. Cost: one query, some 2 us a trial.
std::vector<KnownTrial> known_trials(Store& store, const std::string& job);

/// What the done trials of `job` need: by trial and slot, in the plan's order. Cost: one query.
std::map<std::string, std::map<std::string, std::vector<std::string>>> known_needs(
    Store& store, const std::string& job);

/// The configurations of those of `trials` that the store knows, as text. Cost: one query.
std::map<std::string, std::string> configurations_of(Store& store,
                                                     const std::vector<std::string>& trials);

/// SHA-256 of the data files that trials read: by the names that trials give them, "data.path=NAME"
/// where an option named one. Empty for one that had several contents.
std::map<std::string, std::string> recorded_data(Store& store);

/// Of trials together; of those whose attempts say how long they took.
struct TrialCosts {
  size_t trials = 0;
  double seconds = 0;           // of all their attempts
  double bytes = 0;             // of their artifacts
  double checkpoint_bytes = 0;  // of the largest checkpoint
};
TrialCosts trial_costs(Store& store, const std::vector<std::string>& trials);

/// The largest checkpoint that any trial wrote [bytes]; 0 = there was none.
uint64_t largest_checkpoint(Store& store);

/// The trials of the stages of this name in one sweep, or in whatever sweep ("").
std::set<std::string> trials_of_stage(Store& store, const std::string& stage,
                                      const std::string& sweep);

}  // namespace rethink
