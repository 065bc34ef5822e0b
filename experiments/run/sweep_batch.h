// The trials of planned sweeps within a run: recorded, given the states that their folders show,
// passed to the scheduler, and counted at the end. A run has one batch for the sweeps that it began
// with, and one for each that entered its queue.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/config/schema.h"
#include "core/facts/job_facts.h"
#include "core/store_files/trial_folder.h"
#include "experiments/plan/plan.h"
#include "experiments/run/attempts/first_attempt_settings.h"
#include "experiments/run/pilots/pilot_plan.h"
#include "experiments/run/scheduler.h"
#include "experiments/run/sweep_run.h"
#include "results/folders/sweep_files.h"
#include "results/store/store.h"

namespace rethink {

/// Whether trials may use a GPU. Our own jobs need the plug-in; a user's program brings its own
/// CUDA.
struct UsableGpu {
  bool of_jobs = false, of_programs = false;
};

/// Returns the jobs that the worker without LibTorch runs on this machine.
std::set<std::string> light_jobs(const Schema& schema);

/// Returns the standard error of a trial's last attempt, else its log; empty if there is neither.
std::filesystem::path log_of_last_attempt(const TrialFolder& folder);

/// Returns the ids of the trials of `plans` that are in `asked`, with the trials that they need;
/// without `asked`, of all trials.
std::set<std::string> requested_with_needs(const std::vector<Plan>& plans,
                                           const std::optional<std::set<std::string>>& asked);

class SweepBatch {
 public:
  /// Everything but `store`, which is a whole path, must outlive the object. `scheduler` is the
  /// running scheduler to which the sweeps are added; null: it has not begun.
  SweepBatch(const std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices,
             std::filesystem::path store, Store& index);

  /// Records every trial and sweep, in folders and index. Durable.
  void record();
  /// Returns a running trial whose weights the batch needs but that does not keep them; empty if there is none. The
  /// batch must wait for its end, since it then runs again. Trials that have not started keep such weights from now on.
  std::string weights_to_wait_for(Scheduler& scheduler);
  /// Decides what each trial has to do. Trials on the board of `scheduler` keep their state there;
  /// null: no board exists yet.
  void prepare(Scheduler* scheduler);
  /// Returns whether nothing is left to run. Requires: prepare().
  bool is_settled() const;
  /// Returns the first job that needs LibTorch among trials that may run: "lm"; empty if there is
  /// none. Before prepare() every trial may run.
  std::string job_with_libtorch() const;
  SchedulerOptions scheduler_options() const;
  /// Adds the trials to the scheduler with this rank and turn (TrialOutlook). Requires: prepare().
  void fill(Scheduler& scheduler, const UsableGpu& usable, int rank, size_t turn);
  /// Returns the same for pilots, which run the trials elsewhere; the caller sets site, slots and
  /// build. Requires: prepare().
  PilotPlan pilot_plan() const;
  /// Returns the trials whose folders do not show how they ended, as far as the index knows.
  std::set<std::string> unfinished_ids() const;
  /// Returns whether some trial may still run.
  bool is_unfinished(const Board& board) const;
  /// Whether a sweep of the batch has the same file of the store as `plan`.
  bool records(const Plan& plan) const;
  size_t num_trials() const { return trials_.size(); }
  std::vector<std::string> ids() const;
  size_t num_to_run() const;
  RunReport report(const Scheduler* scheduler) const;
  /// Returns the report by the states of a board with all trials that are not done.
  RunReport report(const Board& board) const;

 private:
  /// Returns whether the trial may still run. A blocked trial may be unblocked later.
  bool may_run(size_t place) const;
  const std::string& id_at(size_t place) const { return trials_[place]->trial.id; }

  void put_trials();
  void put_sweeps(std::vector<SweepFile> files);
  void record_sweep(const Plan& plan, std::vector<SweepFile>& known);
  void take_state_of_board(size_t place, Scheduler& scheduler);
  bool is_left_alone(size_t place);
  std::set<std::string> weights_to_keep() const;
  void make_lost_weights_again(Scheduler* scheduler);
  std::map<std::string, double> expected_seconds() const;
  const JobFacts& facts_of(const PlannedTrial& planned) const;
  bool makes_checkpoints(const PlannedTrial& planned) const;
  bool may_use_gpu(const PlannedTrial& planned, const UsableGpu& usable) const;
  FirstAttemptSettings wanted(const PlannedTrial& planned, const UsableGpu& usable) const;
  FirstAttemptSettings wanted_elsewhere(const PlannedTrial& planned) const;
  TrialOutlook outlook_of(size_t place, const std::map<std::string, double>& expected) const;
  bool is_at_stop(const PlannedTrial& planned) const;
  StageResources with_settings(const PlannedTrial& planned,
                               const FirstAttemptSettings& begun) const;
  Shared<StageResources> resources_with(const PlannedTrial& planned,
                                        const FirstAttemptSettings& begun);
  std::set<std::string> winners_among_needs(size_t place) const;
  RunReport report_of(const std::function<TrialState(size_t)>& state_at) const;
  BadEnd bad_end(const PlannedTrial& planned, TrialState state) const;

  const std::vector<Plan>& plans_;
  const Schema& schema_;
  const RunChoices& choices_;
  const std::filesystem::path store_;
  Store& index_;
  std::vector<const PlannedTrial*> trials_;              // trials of the plans, once each, in order
  std::unordered_map<std::string_view, size_t> places_;  // positions of ids in trials_
  std::vector<TrialState> before_;                 // states of trials_ before any of them started
  std::vector<Shared<StageResources>> resources_;  // resources that the trials run with, once each
  std::set<std::string> cancelled_;                // trials that no sweep of the batch needs
  std::set<std::string> keep_weights_;
  std::map<std::string, std::string> foreign_;  // trials that are left alone, with the reason
};

}  // namespace rethink
