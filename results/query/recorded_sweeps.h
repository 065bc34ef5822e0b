// Reads the sweeps of a store from its database, since the file of a sweep of 100,000 trials takes
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

/// Returns every sweep by name and profile, with its files but without their members. If the files
/// differ from the database, as after a kill, the files count, and `store` then answers by the
/// files. `folder` is the store's. Requires: Access::read. Throws as read_sweep_files.
std::vector<Sweep> recorded_sweeps(Store& store, const std::filesystem::path& folder);

struct SweepStates {
  std::vector<std::pair<std::string, TrialState>> trials;  // each once, in the plan's order
  TrialCounts counts;
  size_t not_started =
      0;  // waiting trials that no run was to take, as in a stage that a table does not show
  std::vector<TrialCounts> of_files;  // for each file of the sweep
};
/// Returns the states of a sweep's trials. A trial that no run has prepared waits. `sweep` is one
/// of recorded_sweeps, or has some of its files; then only their trials count.
SweepStates states_of_sweep(Store& store, const Sweep& sweep);

/// Returns the sweep's members for these trials, at their first position in its plan.
std::vector<SweepMember> members_of_sweep(Store& store, const Sweep& sweep,
                                          const std::vector<std::string>& trials);

}  // namespace rethink
