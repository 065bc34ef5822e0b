// How far the sweeps of a store are, read from its index and the locks of its trials: what `status`
// shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "results/folders.h"
#include "results/store.h"

namespace rethink {

struct TrialStatus {
  std::string trial, stage, title;  // as `run` calls it: "finetune arm=Star task=CoLA seed 0"
  std::map<std::string, std::string> labels;
  std::optional<int64_t> seed;
  TrialState state;
  std::string message;                    // why it failed or diverged
  std::optional<TrialProgress> progress;  // its newest sign of life; none of a done trial
  std::optional<double> seconds;          // of all attempts, the running one until now
};

struct SweepStatus {
  std::string sweep, profile;
  size_t trials = 0;
  std::map<TrialState, size_t> counts;
  std::vector<TrialStatus> list;  // in the plan's order
  /// Trials whose workers go on without a driver: those that a run adopts, and cancelled ones.
  std::set<std::string> orphans{}, cancelled_orphans{};
};

/// The states of a sweep's trials; those in `listed` (empty: all) stand in the list. Without a
/// driver nothing counts as running but what a process holds: the index still says so of what died
/// with its driver.
SweepStatus sweep_status(const Sweep& sweep, Store& store, const std::filesystem::path& folder,
                         bool has_driver, const std::set<TrialState>& listed);

/// Lines: the counts, then a line for each trial in the list, of failures `most_failures` at most.
/// Titles give way where a line is longer than `columns`.
std::string to_text(const SweepStatus& status, size_t most_failures, int columns);
Json to_json(const SweepStatus& status);

}  // namespace rethink
