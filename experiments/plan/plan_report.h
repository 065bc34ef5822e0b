// Compares a plan with a store: which trials are done, stale or would run, the reasons, and the
// expected time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/estimated_disk.h"
#include "experiments/plan/plan.h"
#include "results/records/known_trials.h"
#include "results/store/store.h"

namespace rethink {

struct StageReport {
  std::string sweep, stage, job;
  size_t planned = 0;    // trials in the file
  size_t distinct = 0;   // without those that an earlier stage or sweep already has
  TrialCounts states{};  // of the distinct trials that `run` leaves out: running or ended
  size_t to_run = 0;
  size_t stale = 0;  // part of to_run: done under an older revision or with other data or code
  std::optional<double>
      seconds;  // time of to_run without `unknown` on one slot, from the stage's done trials
  double evaluation_share = 0;  // share of `seconds`, 0 to 1; 0: not measured
  std::optional<double>
      bytes;  // artifacts of to_run without `unknown`, from the stage's done trials
  std::optional<double> checkpoint_bytes;  // beside `bytes`, for each trial while it runs
  size_t unknown = 0;  // part of to_run in stages without a done trial: time and disk are unknown
  std::optional<double> flops;             // of `unknown`, estimated from configurations
  std::optional<double> evaluation_flops;  // beside `flops`, of the evaluations
  // The same for the disk: all weights that stay, and the checkpoints of the largest trial while it runs.
  std::optional<EstimatedDisk> disk;

  /// Returns how many trials have this state, of those that `run` leaves out.
  size_t in(TrialState state) const;
};

/// Why a trial would run.
struct RunReason {
  const PlannedTrial* trial = nullptr;
  bool stale = false;
  std::string why;
};

struct PlanReport {
  std::vector<StageReport> stages;
  std::vector<RunReason> to_run;     // only the first few have `why`
  std::optional<MeasuredRate> rate;  // from the store's done trials; none: nothing is measured
  StageReport total() const;
};

/// States of planned trials in a store.
struct StoreFacts {
  Store* store = nullptr;                      // null: the store does not exist yet
  std::map<std::string, TrialState> states{};  // states_of (planned_states.h)
  std::map<std::string, std::string> again{};  // done trials that will run again, with the reason
  std::set<std::string> begun{};  // trials with an attempt that the store may not know yet
};

/// Returns, by id, why trials of the plan that `store` lacks or never began are stale, as a report says it:
/// "stale: done as 76d9eb10 with other data: data.path was ce766e72, is 55790d70".
std::map<std::string, std::string> stale_trials(const Plan& plan, const Schema& schema,
                                                Store& store);

/// Returns "1 trial is stale: done as ..." or "2 trials are stale, such as 08ada20c: done as ..."; "" if there is none.
std::string stale_text(const std::map<std::string, std::string>& stale);

/// Compares `plans` with the known states. The first `explained` trials get the most similar trial
/// of the store as a reason. `data`: the folder of data sets, in which texts are counted
/// (training_text.h). Requires: `plans` outlive the report.
PlanReport report_plans(const std::vector<Plan>& plans, const Schema& schema,
                        const StoreFacts& known, size_t explained,
                        const std::filesystem::path& data = {});

}  // namespace rethink
