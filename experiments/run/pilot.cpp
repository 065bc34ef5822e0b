#include "experiments/run/pilot.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/clock.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
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

 private:
  std::filesystem::path store_;
  std::unique_ptr<Engine> engine_;
};

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
  int seen = 0;
  scheduler.run([&] {
    for (; seen < std::min(signals.load(), 2); ++seen) scheduler.stop();
  });
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
