// Names of the states of a trial.
#pragma once

#include <vector>

#include "results/store/store.h"

namespace rethink {

/// Every TrialState.
inline const std::vector<TrialState>& trial_states() {
  static const std::vector<TrialState> states = {"waiting",  "ready",  "running",   "done",
                                                 "diverged", "failed", "cancelled", "blocked"};
  return states;
}

}  // namespace rethink
