// Compares a plan with a store: which trials are done, stale or would run, the reasons, and the
// expected time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/estimated_disk.h"
#include "experiments/plan/plan.h"
#include "results/query/known_trials.h"
#include "results/store/store.h"

namespace rethink {

struct StageReport {
  std::string sweep, stage, job;
  size_t planned = 0;   // as the file says
  size_t distinct = 0;  // less those that an earlier stage or sweep has already
  size_t done = 0, diverged = 0, running = 0, failed = 0, cancelled = 0;
  size_t blocked = 0;  // needs one that ended badly: `run` leaves it out
  size_t to_run = 0;
  size_t stale = 0;  // of to_run: done under an older revision or other data
  std::optional<double>
      seconds;  // of one slot, for to_run less `unknown`; from the stage's done trials
  double evaluation_share = 0;             // of `seconds`, 0 to 1; 0: not measured
  std::optional<double> bytes;             // of artifacts, likewise
  std::optional<double> checkpoint_bytes;  // beside these, of each trial while it runs
  size_t unknown =
      0;  // of to_run: none of their stage is done, so nobody knows their time and disk
  std::optional<double> flops;  // of `unknown`, estimated from configurations
  // Likewise: of all weights that stay, and of the checkpoints of the largest trial while it runs.
  std::optional<EstimatedDisk> disk;
};

/// Why a trial would run.
struct RunReason {
  const PlannedTrial* trial = nullptr;
  bool stale = false;
  std::string why;
};

struct PlanReport {
  std::vector<StageReport> stages;
  std::vector<RunReason> to_run;     // the first few have `why`
  std::optional<MeasuredRate> rate;  // of what the store has done; none: nothing is measured
  StageReport total() const;
};

/// States of planned trials in a store.
struct StoreFacts {
  Store* store = nullptr;                      // null: there is none yet
  std::map<std::string, TrialState> states{};  // states_of
  std::map<std::string, std::string> again{};  // done trials that would run all the same, and why
  std::set<std::string> begun{};  // trials with an attempt that the store need not know yet
};

/// Returns the states of the plans' trials in `store`. A trial whose needed trial ended without the
/// needed result is "blocked". Returns nothing without a store.
std::map<std::string, TrialState> states_of(const std::vector<Plan>& plans, const Store* store);

/// By id: why trials of the plan that `store` does not have are stale, in the words of a report: "stale: done as
/// 76d9eb10 with other data: data.path was ce766e72, is 55790d70".
std::map<std::string, std::string> stale_trials(const Plan& plan, const Schema& schema,
                                                Store& store);

/// Returns "1 trial is stale: done as ..." or "2 trials are stale, such as 08ada20c: done as ..."; "" if none is.
std::string stale_text(const std::map<std::string, std::string>& stale);

/// Compares `plans` with the known states. The first `explained` trials get the most similar trial
/// of the store as a reason. Requires: `plans` outlive the report.
PlanReport report_plans(const std::vector<Plan>& plans, const Schema& schema,
                        const StoreFacts& known, size_t explained);

}  // namespace rethink
