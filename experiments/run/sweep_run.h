// The work of `rethink run` without its output: takes plans to the store's folders, the index and
// the scheduler.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"
#include "experiments/run/scheduler.h"
#include "results/store/store.h"

namespace rethink {

struct RunChoices {
  std::filesystem::path store;
  std::filesystem::path data;
  std::filesystem::path programs;  // contains rethink-worker
  int slots = 0;                   // 0 = as many as the cores allow
  std::string device = "auto";     // auto = as the sweep says
  std::optional<size_t> max_trials;
  bool fail_fast = false;
  std::vector<std::string> with;  // options of a command that resumes the run: "--data=/data"
  /// Trials to run, with the trials that they need; empty = all. The plans are recorded completely.
  std::optional<std::set<std::string>> trials;
  Runner* runner = nullptr;  // replaces the worker's processes in tests
};

/// A trial without a result.
struct BadEnd {
  std::string trial, title, message;
  TrialState state = TrialState::failed;
  std::filesystem::path log;  // of its last attempt; empty = the trial never ran
};

struct RunReport {
  std::map<TrialState, size_t> states;  // number of distinct trials of all plans, by state
  std::vector<BadEnd> bad;              // failed, diverged, blocked, cancelled; in the plan's order
  size_t trials = 0;
  size_t held = 0;  // stopped at their `stop_at`
  bool interrupted = false;
  std::string machine_problem;              // why nothing more was started; empty: no problem
  MachineFault fault = MachineFault::none;  // its kind
  size_t count(TrialState state) const;
};

/// Opens the index of a store for writing. Requires: this process holds the store's lock.
Store open_store_to_run(const std::filesystem::path& store);
/// Logs a warning if the store's disk grants one lock twice, or if its database is on a disk that is
/// not local or lacks locks.
void warn_of_disk(const std::filesystem::path& store);

/// Runs the plans' trials until none is left, or until `signals`, the number of received signals,
/// says to stop. After a crash the same call continues. Throws MachineError if the store is in use
/// or a worker cannot be started. Durable: trials and sweeps before anything starts, then each
/// trial's end (docs/life_of_a_trial.md).
RunReport run_sweeps(const std::vector<Plan>& plans, const Schema& schema,
                     const RunChoices& choices, SchedulerListener& listener,
                     const std::atomic<int>& signals);

/// Returns the user's cache, $XDG_CACHE_HOME/rethink or ~/.cache/rethink. Returns STORE/cache if
/// the user's cache is missing, cannot be made, written or locked, or has little room; the log then
/// says so. Throws MachineError if STORE/cache is needed and is not a folder.
std::filesystem::path usable_cache_folder(const std::filesystem::path& store);

}  // namespace rethink
