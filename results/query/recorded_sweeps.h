// Reads the sweeps of a store from its database: the file of a sweep of 100,000 trials takes
// seconds to read.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/trial_state.h"
#include "results/folders/sweep_files.h"
#include "results/store/store.h"

namespace rethink {

/// Returns every sweep by name and profile, with its files, without their members. If the files
/// differ from those in the database, as after a kill, the files count, and `store` answers by them
/// from then on. `folder` is the store's. Requires: Access::read. Throws as read_sweep_files.
std::vector<Sweep> recorded_sweeps(Store& store, const std::filesystem::path& folder);

struct SweepStates {
  std::vector<std::pair<std::string, TrialState>> trials;  // each once, in the plan's order
  TrialCounts counts;
  size_t not_started =
      0;  // of the waiting ones: that no run was to take, as of a stage that a table does not show
  std::vector<TrialCounts> of_files;  // as the sweep has them
};
/// A trial that was never prepared waits. `sweep`: one of recorded_sweeps; with some of its files, the trials of these.
SweepStates states_of_sweep(Store& store, const Sweep& sweep);

/// Returns the sweep's members for these trials, at their first position in its plan.
std::vector<SweepMember> members_of_sweep(Store& store, const Sweep& sweep,
                                          const std::vector<std::string>& trials);

}  // namespace rethink
