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
  std::string trial, stage, title;  // title as in `run`: "finetune arm=Star task=CoLA seed 0"
  std::map<std::string, std::string> labels;
  std::optional<int64_t> seed;
  TrialState state = TrialState::waiting;
  std::string message;                    // why it failed or diverged
  std::optional<TrialProgress> progress;  // its newest progress; none for a done trial
  std::optional<double> seconds;          // of all attempts, a running one until now
  std::string gpu{};                      // of a running trial: "GPU-<uuid>"; "" on a CPU
  bool has_mps = false;                   // its GPU's processes compute at the same time
};

/// A file of a sweep with one choice of options.
struct ChoiceStatus {
  std::string choice, source;
  size_t trials = 0, done = 0;
  size_t left = 0;        // trials with which a run continues: waiting, ready or running
  std::string command{};  // the command that made and resumes it; the caller sets it
  std::string run{};      // the `run` command of its file, which takes every trial; likewise
};

/// What the sweep's files plan now, if the newest run planned other trials, of which some have run.
struct PresentPlan {
  size_t trials = 0, done = 0;  // 0 trials: the newest run planned the same, or new ones
};

struct SweepStatus {
  std::string sweep, profile;
  std::string source;       // its file, if another file has the same sweep name
  std::string description;  // from its file, if it exists
  bool has_driver = false;
  bool waits_in_queue =
      false;  // the driver has the sweep, but runs only others now; the caller sets it
  size_t trials = 0;
  TrialCounts counts;
  size_t not_started = 0;  // waiting trials that no run was to take
  std::vector<ChoiceStatus> choices;
  std::vector<TrialStatus> list;  // in the order of the plan
  /// Trials whose workers are running without a driver: trials that a run adopts, and cancelled
  /// trials.
  std::set<std::string> orphans{}, cancelled_orphans{};
  std::map<std::string, std::string> stale{};  // stale_trials() by its present files
  PresentPlan present{};
};

/// Returns the states of the trials of one of recorded_sweeps(); the list has trials in `listed`
/// (empty: all). `orphans` is workers_without_driver of the store.
SweepStatus sweep_status(const Sweep& sweep, Store& store, bool has_driver,
                         const std::set<std::string>& orphans, const std::set<TrialState>& listed);

/// Returns the `run` command of this file under its choice, in words for a shell. The file has its
/// name in one of `paths`, else its path. Recorded options are included, with the present --path,
/// --data and --store. Empty if `db merge` brought the file.
std::string run_command_of(const SweepFile& file, const CommandContext& context,
                           const po::variables_map& given);
/// Returns the command that ran this file, such as `rethink reproduce bet`; else the same.
std::string command_of(const SweepFile& file, const CommandContext& context,
                       const po::variables_map& given);

/// Returns lines: the counts, the commands (if they are not only its name, or if trials are left),
/// then a line for each trial in the list, with trials of one reason grouped. If more than
/// `most_failures` have a reason, kMostNamedOfACause of each reason. Titles are shortened if a line
/// is longer than `columns`.
std::string to_text(const SweepStatus& status, size_t most_failures, int columns);
/// Returns the text of each sweep. A command that several of them have, as those of `reproduce`, is
/// said once below, with their names unless all others need no command.
std::string to_text(const std::vector<SweepStatus>& sweeps, size_t most_failures, int columns);
Json to_json(const SweepStatus& status);

}  // namespace rethink
