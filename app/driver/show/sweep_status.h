// The progress of a store's sweeps, read from its index and the locks of its trials, for `status`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "core/json_fwd.h"
#include "results/folders/sweep_files.h"
#include "results/store/store.h"

namespace rethink {

/// States whose trials `status` lists without --all.
const std::set<TrialState>& states_listed_by_status();

struct TrialStatus {
  std::string trial, stage, title;  // as `run` calls it: "finetune arm=Star task=CoLA seed 0"
  std::map<std::string, std::string> labels;
  std::optional<int64_t> seed;
  TrialState state = TrialState::waiting;
  std::string message;                    // why it failed or diverged
  std::optional<TrialProgress> progress;  // its newest sign of life; none of a done trial
  std::optional<double> seconds;          // of all attempts, the running one until now
  std::string gpu{};                      // of a running one: "GPU-<uuid>"; "" on a CPU
  bool has_mps = false;                   // its GPU's processes compute at the same time
};

/// A file of a sweep with one choice of options.
struct ChoiceStatus {
  std::string choice, source;
  size_t trials = 0, done = 0;
  size_t left = 0;        // that a run goes on with: waiting, ready or running
  std::string command{};  // that made it and resumes it; the caller's to fill in
};

struct SweepStatus {
  std::string sweep, profile;
  std::string source;       // its file, where another file there has the same name
  std::string description;  // what its file says, as far as it is there
  bool has_driver = false;
  size_t trials = 0;
  TrialCounts counts;
  size_t not_started = 0;  // of the waiting trials: that no run was to take
  std::vector<ChoiceStatus> choices;
  std::vector<TrialStatus> list;  // in the plan's order
  /// Trials whose workers are running without a driver: trials that a run adopts, and cancelled
  /// trials.
  std::set<std::string> orphans{}, cancelled_orphans{};
  std::map<std::string, std::string> stale{};  // stale_trials() of what its files mean now
};

/// The states of the trials of one of recorded_sweeps(); those in `listed` (empty: all) stand in the list. `orphans`: workers_without_driver
/// of the store.
SweepStatus sweep_status(const Sweep& sweep, Store& store, bool has_driver,
                         const std::set<std::string>& orphans, const std::set<TrialState>& listed);

/// The command that ran this file under its choice, in words for a shell; the file stands in it by
/// the name that it has in one of `paths`, else by its place. What its run was told comes with it,
/// and --path, --data and --store as `given` now. Empty: `db merge` brought it.
std::string command_of(const SweepFile& file, const CommandContext& context,
                       const po::variables_map& given);

/// Lines: the counts, the commands that made it where they say more than its name or have something
/// left to do, then a line for each trial in the list; those of one reason below it. Of more than
/// `most_failures` with a reason, kMostNamedOfACause each.
/// Titles are shortened if a line is longer than `columns`.
std::string to_text(const SweepStatus& status, size_t most_failures, int columns);
Json to_json(const SweepStatus& status);

}  // namespace rethink
