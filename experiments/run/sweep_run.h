// `rethink run` without its output: from plans to the store's folders, the index and the scheduler.
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

namespace rethink {

struct RunChoices {
  std::filesystem::path store;
  std::filesystem::path data;
  std::filesystem::path programs;  // rethink-worker is there
  int slots = 0;                   // 0 = as many as the cores carry
  std::string device = "auto";     // auto = as the sweep says
  std::optional<size_t> max_trials;
  bool fail_fast = false;
  std::vector<std::string> with;  // options for the record: "--data=/data", in words that resume it
  /// Run these, and what they need; the plans go on record whole. None = run everything.
  std::optional<std::set<std::string>> trials;
  Runner* runner = nullptr;  // instead of the worker's processes, for tests
};

/// A trial that did not end well.
struct BadEnd {
  std::string trial, title, message;
  TrialState state = TrialState::failed;
  std::filesystem::path log;  // of its last attempt; empty = it never ran
};

struct RunReport {
  std::map<TrialState, size_t> states;  // of the distinct trials of all plans
  std::vector<BadEnd> bad;              // failed, diverged, blocked, cancelled; in the plan's order
  size_t trials = 0;
  bool interrupted = false;
  std::string machine_problem;              // why nothing more was started; empty: the machine can
  MachineFault fault = MachineFault::none;  // its kind
  size_t count(TrialState state) const;
};

/// Runs the plans' trials until nothing is left, or until `signals` (how many came) says to stop.
/// The same call goes on after any crash. Throws MachineError when the store is in use or a worker
/// cannot be started. The plans' trials then have the resources that they run with. Durable: trials and
/// sweeps before anything starts, then each trial's end (docs/life_of_a_trial.md).
RunReport run_sweeps(std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices,
                     SchedulerListener& listener, const std::atomic<int>& signals);

/// The user's cache, $XDG_CACHE_HOME/rethink or ~/.cache/rethink; STORE/cache where there is none, or
/// where it cannot be made, written or locked or has little room, which a line of the log says. Throws
/// MachineError where STORE/cache is needed and is no folder.
std::filesystem::path usable_cache_folder(const std::filesystem::path& store);

}  // namespace rethink
