// The last pass of planning: makes a trial from each point and seed, and computes its id.
#pragma once

#include <vector>

#include "core/config/note.h"
#include "experiments/plan/expand/expand_sweep.h"

namespace rethink {

struct NamedTrials {
  std::vector<PlannedTrial> trials;  // Plan::trials
  std::vector<Note> notes;           // Plan::notes on the files that the trials read
  std::vector<CodeSnapshot> code{};  // Plan::code
};

/// Returns the trials. Requires: `expanded` is complete, with each stage behind the stages that it
/// needs. Cost: hashes the data files once, and a few microseconds per trial.
NamedTrials name_trials(ExpandedSweep& expanded, const SweepSpec& sweep, const PlanChoices& choices,
                        const Schema& schema, Problems& problems);

}  // namespace rethink
