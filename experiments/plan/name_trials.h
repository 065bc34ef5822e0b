// The last pass of planning: makes a trial of each point and seed, and computes its id.
#pragma once

#include <string>
#include <vector>

#include "experiments/plan/expand/expand_sweep.h"

namespace rethink {

struct NamedTrials {
  std::vector<PlannedTrial> trials;  // Plan::trials
  std::vector<std::string> notes;    // Plan::notes, on the files that they read
  std::vector<CodeSnapshot> code{};  // Plan::code
};

/// Requires: `expanded` whole, each stage after those that it needs. Cost: hashes the data files
/// once, a few microseconds a trial.
NamedTrials name_trials(ExpandedSweep& expanded, const SweepSpec& sweep, const PlanChoices& choices,
                        const Schema& schema, Problems& problems);

}  // namespace rethink
