// The trials of planned sweeps within a run: put on record, given the states that their folders say, handed to the
// scheduler, and counted at the end. A run has one for the sweeps that it began with, and one for each that came into its
// queue.
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
#include "experiments/plan/plan.h"
#include "experiments/run/first_attempt_settings.h"
#include "experiments/run/pilot_plan.h"
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

/// The jobs that the worker without LibTorch runs on this machine.
std::set<std::string> light_jobs(const Schema& schema);

/// Ids of the trials of `plans` in `asked` and of those that they need; without `asked`: of all.
std::set<std::string> asked_with_needs(const std::vector<Plan>& plans,
                                       const std::optional<std::set<std::string>>& asked);

class SweepBatch {
 public:
  /// All but `store`, which is whole, must outlive it. `scheduler`: that the sweeps are added to while it runs; null:
  /// one that is yet to begin.
  SweepBatch(std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices,
             std::filesystem::path store, Store& index);

  /// Durable: every trial and sweep, in folders and index.
  void record();
  /// A running trial whose weights the batch needs and which was started without leaving them: the batch has to wait for
  /// its end, since it then runs again. One that has yet to start leaves them from now on. Empty: there is none.
  std::string weights_to_wait_for(Scheduler& scheduler);
  /// What each trial has to do. Those that are on the board of `scheduler` already have the state that they have there;
  /// null: there is no board yet.
  void prepare(Scheduler* scheduler);
  /// Returns whether nothing is left to run. Requires: prepare().
  bool is_settled() const;
  /// The first job that needs LibTorch, of the trials that may run: "lm"; empty: no such trial. Before prepare() every
  /// trial may run.
  std::string job_with_libtorch() const;
  SchedulerOptions scheduler_options() const;
  /// Requires: prepare().
  void fill(Scheduler& scheduler, const UsableGpu& usable, int rank);
  /// The same for pilots, which run it elsewhere; the site, slots and build are left to the caller. Requires: prepare().
  PilotPlan pilot_plan() const;
  /// Whether some trial may still run.
  bool is_unfinished(const Board& board) const;
  size_t num_trials() const { return trials_.size(); }
  std::vector<std::string> ids() const;
  size_t num_to_run() const;
  RunReport report(const Scheduler* scheduler) const;
  /// By the states of a board with all trials that are not done.
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
  bool may_use_gpu(const PlannedTrial& planned, const UsableGpu& usable) const;
  FirstAttemptSettings wanted(const PlannedTrial& planned, const UsableGpu& usable) const;
  FirstAttemptSettings wanted_elsewhere(const PlannedTrial& planned) const;
  TrialOutlook outlook_of(size_t place, const std::map<std::string, double>& expected) const;
  StageResources with_settings(const PlannedTrial& planned,
                               const FirstAttemptSettings& begun) const;
  Shared<StageResources> resources_with(const PlannedTrial& planned,
                                        const FirstAttemptSettings& begun);
  std::set<std::string> winners_among_needs(size_t place) const;
  RunReport report_of(const std::function<TrialState(size_t)>& state_at) const;
  BadEnd bad_end(const PlannedTrial& planned, TrialState state) const;

  std::vector<Plan>& plans_;
  const Schema& schema_;
  const RunChoices& choices_;
  const std::filesystem::path store_;
  Store& index_;
  std::vector<PlannedTrial*> trials_;                    // of the plans, each once, in their order
  std::unordered_map<std::string_view, size_t> places_;  // of ids, in trials_
  std::vector<TrialState> before_;                       // of trials_, before any of them started
  std::vector<Shared<StageResources>> resources_;        // that the trials run with, each once
  std::set<std::string> cancelled_;                      // that no sweep of the batch wants
  std::set<std::string> keep_weights_;
  std::map<std::string, std::string> foreign_;  // trials that are left alone, and why
};

}  // namespace rethink
