// What a store holds of one job, for comparing with a plan: a few columns of many trials in one
// query.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/store.h"

namespace rethink {

struct KnownTrial {
  std::string id;
  TrialState state;
  std::optional<int64_t> seed;
  std::string configuration, data, revisions;  // JSON as text
  std::optional<double> seconds;               // of all its attempts
  double bytes = 0;                            // of its artifacts
  double checkpoint_bytes = 0;                 // of its largest checkpoint; done trials only
  int64_t attempts = 0;
};

/// Every trial of `job`, by id. Cost: one query, some 10 us a trial.
std::vector<KnownTrial> known_trials(Store& store, const std::string& job);

/// The trials of the stages of this name, in whatever sweep.
std::set<std::string> trials_of_stage(Store& store, const std::string& stage);

}  // namespace rethink
