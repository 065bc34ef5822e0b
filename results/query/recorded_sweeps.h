// Reads the sweeps of a store from its database, since the file of a sweep of 100,000 trials takes
// seconds to read.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
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
  size_t trials = 0;  // each counts once
  TrialCounts counts;
  size_t not_started =
      0;  // waiting trials that no run was to take, as in a stage that a table does not show
  std::vector<TrialCounts> of_files;         // for each file of the sweep
  std::map<std::string, TrialState> listed;  // trials in one of the requested states
};
/// Returns how many of a sweep's trials have each state, as the database counts them, and the
/// trials in one of the states `listed` (empty: all). A trial that no run has prepared waits.
/// `sweep` is one of recorded_sweeps, or has some of its files; then only their trials count.
SweepStates states_of_sweep(Store& store, const Sweep& sweep, const std::set<TrialState>& listed);

/// Returns the sweep's members for these trials, at their first position in its plan. Other trials
/// are left out.
std::vector<SweepMember> members_of_sweep(Store& store, const Sweep& sweep,
                                          const std::vector<std::string>& trials);

}  // namespace rethink
