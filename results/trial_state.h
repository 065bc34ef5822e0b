// The state of a trial and its names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rethink {

/// One of trial_states().
using TrialState = std::string;

/// Every TrialState.
inline const std::vector<TrialState>& trial_states() {
  static const std::vector<TrialState> states = {"waiting",  "ready",  "running",   "done",
                                                 "diverged", "failed", "cancelled", "blocked"};
  return states;
}

/// Whether a trial in `state` has ended with a result.json.
inline bool has_result(const TrialState& state) {
  return state == "done" || state == "diverged";
}

/// How many trials, by state.
using TrialCounts = std::map<TrialState, int64_t>;

}  // namespace rethink
