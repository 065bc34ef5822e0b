// Trials that have yet to run or to end.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "results/store/store.h"

namespace rethink {

struct UnendedTrial {
  std::string id, job;
  Json configuration;
};

/// Trials that wait, are ready or run: the first of each job and configuration, `most` at most. Throws
/// Json::exception where a configuration is not JSON.
std::vector<UnendedTrial> unended_trials(Store& store, int most);

}  // namespace rethink
