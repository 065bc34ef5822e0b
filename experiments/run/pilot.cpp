#include "experiments/run/pilot.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>

#include "core/clock.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/format/lease.h"
#include "core/format/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "experiments/run/gpu.h"
#include "experiments/run/libtorch_here.h"
#include "experiments/run/pilot_ledger.h"
#include "experiments/run/pilot_plan.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_run.h"
#include "experiments/run/zygote_runner.h"
#include "experiments/site/site.h"

namespace rethink {
namespace {

constexpr double kBetweenStops_s = 2;  // of looks for trials that no sweep wants any more

/// Jobs of pilots, as far as the store's folders and the queue know them.
class PilotJobs {
 public:
  PilotJobs(std::filesystem::path store, const Site& site)
      : store_(std::move(store)), engine_(make_engine(site)) {}

  bool has_ended(const Lease& lease) {
    for (const PilotSet& set : PilotSet::all(store_)) {
      for (const StartedPilot& pilot : set.started()) {
        if (pilot.job == lease.job && pilot.restart > lease.restart) return true;
      }
    }
    return engine_->states({lease.job}).at(lease.job).state == JobState::ended;
  }

  /// When the pilot leaves, so that workers have the time for a last checkpoint; seconds of the wall clock.
  std::optional<double> time_to_leave(const std::string& job) {
    constexpr double kBeforeTheEnd_s = 120, kShareOfAShortJob = 0.2;
    const std::optional<double> end_s = engine_->end_time(job);
    if (!end_s) return std::nullopt;
    return *end_s - std::min(kBeforeTheEnd_s, kShareOfAShortJob * (*end_s - wall_seconds()));
  }
  bool requeue(const std::string& job) { return engine_->requeue(job); }

  static double wall_seconds() { return static_cast<double>(std::time(nullptr)); }

 private:
  std::filesystem::path store_;
  std::unique_ptr<Engine> engine_;
};

bool has_trials_left(const Board& board) {
  return board.count(TrialState::ready) + board.count(TrialState::waiting) +
             board.count(TrialState::running) >
         0;
}

/// A trial of device auto gets the device that this machine has.
void choose_devices(PilotPlan& plan, const Schema& schema, const UsableGpu& usable) {
  for (PilotTrial& one : plan.trials) {
    if (one.planned.resources->device != "auto") continue;
    StageResources resources = *one.planned.resources;
    const auto facts = schema.find("job", one.planned.trial.job)->facts.as<JobFacts>();
    const bool has_gpu = facts.runs_program ? usable.of_programs : usable.of_jobs;
    resources.device = has_gpu ? "cuda" : "cpu";
    one.planned.resources = std::move(resources);
  }
}

SchedulerOptions options_of_pilot(const PilotPlan& plan, const std::filesystem::path& store,
                                  const Schema& schema) {
  SchedulerOptions options;
  if (plan.site.trials_per_pilot > 0)
    options.max_trials = static_cast<size_t>(plan.site.trials_per_pilot);
  options.fail_fast = plan.fail_fast;
  options.store = store;
  options.data = plan.data;
  options.cache = usable_cache_folder(store);
  options.light_jobs = light_jobs(schema);
  return options;
}

void require_same_build(const PilotPlan& plan, const Schema& schema, const PilotSet& set) {
  if (plan.build == schema.build_id) return;
  throw MachineError(
      "driver-differs",
      fmt::format("{} was planned by another build of rethink: start this pilot with "
                  "the program that planned it, or cancel it and give `rethink run` "
                  "again",
                  set.plan().string()));
}

/// Requires: the pilot is announced as `job`.
PilotReport run_announced(const PilotSet& set, const std::filesystem::path& store,
                          const std::filesystem::path& programs, const Schema& schema,
                          const std::string& job, int restart, SchedulerListener& listener,
                          const std::atomic<int>& signals) {
  PilotPlan plan = read_pilot_plan(set.plan());
  require_same_build(plan, schema, set);
  const SchedulerOptions options = options_of_pilot(plan, store, schema);
  const VisibleGpus visible = find_gpus();
  const UsableGpu usable = {.of_jobs = can_use_gpu(visible, programs),
                            .of_programs = !visible.gpus.empty()};
  choose_devices(plan, schema, usable);
  Slots slots(plan.slots, usable_cores(), visible.gpus, std::min(usable_cpus(), cpus_of_job()));
  if (!visible.gpus.empty()) slots.read_gpus_by(gpus_at_most_old());
  PilotJobs jobs(store, plan.site);
  PilotLedger ledger(
      store, job, restart, set.changes(job),
      [&](const Lease& lease) { return jobs.has_ended(lease); }, monotonic_seconds);
  ZygoteRunner runner(programs / "rethink-worker", schema.build_id);
  const auto needs_libtorch = std::ranges::find_if(plan.trials, [&](const PilotTrial& one) {
    return !options.light_jobs.contains(one.planned.trial.job);
  });
  if (needs_libtorch != plan.trials.end()) {
    require_libtorch(fmt::format("job '{}'", needs_libtorch->planned.trial.job));
    runner.prepare();
  }
  Scheduler scheduler(ledger, runner, slots, listener, options, monotonic_seconds);
  for (const auto& [code, checkout] : plan.checkouts) scheduler.add_checkout(code, checkout);
  for (const PilotTrial& one : plan.trials) scheduler.add(one.planned, one.before, one.outlook);
  const std::optional<double> leave_s = jobs.time_to_leave(job);
  double looked_s = monotonic_seconds();
  scheduler.run([&] {
    // A queue may send several signals, one of which is a wish; it kills by itself.
    const bool is_time_up = leave_s && PilotJobs::wall_seconds() >= *leave_s;
    if ((signals.load() > 0 || is_time_up) && !scheduler.stopped()) scheduler.stop();
    if (monotonic_seconds() - looked_s < kBetweenStops_s) return;
    looked_s = monotonic_seconds();
    for (const PlannedTrial* planned : scheduler.board().in(TrialState::running)) {
      if (is_stop_written(trial_folder(store, planned->trial.id)))
        scheduler.cancel(planned->trial.id);
    }
  });
  if (scheduler.stopped() && has_trials_left(scheduler.board())) jobs.requeue(job);
  return {.interrupted = scheduler.stopped(),
          .started = scheduler.started(),
          .machine_problem = scheduler.machine_problem()};
}

}  // namespace

PilotReport run_pilot(const PilotSet& set, const std::filesystem::path& store,
                      const std::filesystem::path& programs, const Schema& schema,
                      SchedulerListener& listener, const std::atomic<int>& signals) {
  set_kill_point_folder(store);
  const std::string job = own_job();
  const int restart = own_restart();
  set.announce({.job = job,
                .restart = restart,
                .node = host_name(),
                .process = this_process(),
                .since = wall_time()});
  kill_point("after_pilot_announced");
  if (set.is_closed()) return {.was_taken_back = true};
  try {
    PilotReport report =
        run_announced(set, store, programs, schema, job, restart, listener, signals);
    if (!report.machine_problem.empty()) set.record_failure(job, report.machine_problem);
    return report;
  } catch (const std::exception& error) {
    set.record_failure(job, fmt::format("on {}: {}", host_name(), error.what()));
    throw;
  }
}

}  // namespace rethink
