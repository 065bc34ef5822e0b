#include "experiments/run/pilots/pilot.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/clock.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/files/hash.h"
#include "core/store_files/lease.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "core/system/processor.h"
#include "experiments/run/attempts/libtorch_here.h"
#include "experiments/run/attempts/zygote_runner.h"
#include "experiments/run/gpu.h"
#include "experiments/run/pilots/pilot_jobs.h"
#include "experiments/run/pilots/pilot_ledger.h"
#include "experiments/run/pilots/pilot_plan.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_run.h"
#include "experiments/site/site.h"

namespace rethink {
namespace {

constexpr double kBetweenStops_s = 2;  // of looks for trials that no sweep wants any more

/// The time that a pilot's job has for trials.
class JobTime {
 public:
  /// `end_s`: end of the job on the wall clock; nothing without a limit.
  explicit JobTime(std::optional<double> end_s) : end_s_(end_s), begun_s_(wall_seconds()) {}

  /// Returns the time until `running` workers must be stopped. Each then has time for two checkpoints of `bytes` on a
  /// slow disk and one minute more, but at most a fifth of the job's time.
  std::optional<double> seconds_left(size_t running, uint64_t bytes) const {
    constexpr double kReserve_s = 60, kCheckpoints = 2, kBytesPerSecond = 100e6, kMostShare = 0.2;
    if (!end_s_) return std::nullopt;
    const double writing_s = kCheckpoints * static_cast<double>(std::max<size_t>(1, running)) *
                             static_cast<double>(bytes) / kBytesPerSecond;
    return *end_s_ - wall_seconds() -
           std::min(kReserve_s + writing_s, kMostShare * (*end_s_ - begun_s_));
  }

 private:
  static double wall_seconds() { return static_cast<double>(std::time(nullptr)); }

  std::optional<double> end_s_;
  double begun_s_;
};

/// Rotates the trials, so that every pilot starts at another position of the plan. Pilots that begin together would
/// otherwise claim the same trials, and all but one in vain. Multiples of the golden ratio are far apart for jobs with
/// successive numbers.
void stagger(std::vector<PilotTrial>& trials, const std::string& job) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(job.data(), job.data() + job.size(), number);
  if (error != std::errc() || end == job.data()) number = std::hash<std::string>()(job);
  const double place = kGoldenRatio * static_cast<double>(number % 1'000'000);
  const double share = place - std::floor(place);
  const auto first = static_cast<std::ptrdiff_t>(share * static_cast<double>(trials.size()));
  std::rotate(trials.begin(), trials.begin() + first, trials.end());
}

/// Trials whose checkpoints were made on a machine of another kind may continue with other last
/// bits.
struct MachineKind {
  std::string processor{};  // "AuthenticAMD 25 1 1", and a checksum of its features
  std::string gpus{};       // names of the GPUs that the process sees
};

/// The kind of this machine.
MachineKind machine_kind(const VisibleGpus& visible) {
  std::string features = processor_fact("flags");
  if (features.empty()) features = processor_fact("Features");  // on ARM
  MachineKind kind;
  for (const char* fact : {"vendor_id", "cpu family", "model\t", "stepping"})
    kind.processor += processor_fact(fact) + " ";
  kind.processor += fmt::format("{:08x}", crc32c(features));
  std::set<std::string> names;
  for (const Gpu& gpu : visible.gpus) names.insert(gpu.name);
  kind.gpus = joined({names.begin(), names.end()});
  return kind;
}

/// Compares machines on which pilots of the store began with this one.
class OtherMachines {
 public:
  OtherMachines(std::filesystem::path store, MachineKind own)
      : store_(std::move(store)), own_(std::move(own)) {}

  /// Returns false for an unknown machine.
  bool is_other_kind(const std::string& machine, bool gpu) {
    if (machine == host_name()) return false;
    if (!kinds_.contains(machine)) {
      kinds_[machine] = own_;
      for (const PilotSet& set : PilotSet::all(store_)) {
        for (const PilotSet::Machine& one : set.machines())
          kinds_[one.name] = {.processor = one.processor, .gpus = one.gpus};
      }
    }
    const MachineKind& kind = kinds_.at(machine);
    return kind.processor != own_.processor || (gpu && kind.gpus != own_.gpus);
  }

 private:
  std::filesystem::path store_;
  MachineKind own_;
  std::map<std::string, MachineKind> kinds_;
};

/// Returns why no job of this site can run the remaining trials: each takes longer than the whole time of a job,
/// `whole_s`. "" if a new job can run one.
std::string too_long_text(const Scheduler& scheduler, const Site& site, double whole_s) {
  std::optional<size_t> shortest;
  for (const size_t index : scheduler.board().in(TrialState::ready)) {
    if (scheduler.board().is_held(index)) continue;
    if (!shortest || scheduler.needed_s(index) < scheduler.needed_s(*shortest)) shortest = index;
  }
  if (!shortest || scheduler.needed_s(*shortest) <= whole_s) return "";
  return fmt::format(
      "{} takes {:.0f} s and makes no checkpoint, and a job of site '{}' has {:.0f} s for trials: "
      "give its jobs a longer time, such as by --time in sbatch",
      title_of(scheduler.board().trial(*shortest)), scheduler.needed_s(*shortest), site.name,
      whole_s);
}

bool has_trials_left(const Board& board) {
  return board.count(TrialState::ready) + board.count(TrialState::waiting) +
             board.count(TrialState::running) >
         0;
}

/// A trial of device auto gets the device that this machine has.
void choose_devices(PilotPlan& plan, const Schema& schema, const UsableGpu& usable) {
  for (PilotTrial& one : plan.trials) {
    StageResources resources = **one.outlook.resources;
    if (resources.device != "auto") continue;
    const auto facts = schema.find("job", one.planned.trial.job)->facts.as<JobFacts>();
    const bool has_gpu = facts.runs_program ? usable.of_programs : usable.of_jobs;
    resources.device = has_gpu ? "cuda" : "cpu";
    one.outlook.resources = std::move(resources);
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
  stagger(plan.trials, job);
  SchedulerOptions options = options_of_pilot(plan, store, schema);
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
  const JobTime time(jobs.end_time(job));
  const std::optional<double> whole_s = time.seconds_left(1, 0);
  size_t running = 0;
  options.seconds_left = [&] { return time.seconds_left(running, ledger.checkpoint_bytes()); };
  const MachineKind own = machine_kind(visible);
  set.record_machine({host_name(), own.processor, own.gpus});
  OtherMachines machines(store, own);
  options.is_other_kind = [&](const std::string& machine, bool gpu) {
    return machines.is_other_kind(machine, gpu);
  };
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
  for (const PilotTrial& one : plan.trials) {
    scheduler.add(one.planned, one.before, one.outlook);
    if (one.goes_on)
      scheduler.rank_by_kind(scheduler.board().index_of(one.planned.trial.id),
                             ledger.begun_on(one.planned.trial.id));
  }
  double looked_s = monotonic_seconds();
  scheduler.run([&] {
    running = scheduler.board().count(TrialState::running);
    // A queue may send several signals, one of which is a wish; it kills by itself.
    const bool is_time_up = whole_s && *options.seconds_left() <= 0;
    if ((signals.load() > 0 || is_time_up) && !scheduler.stopped()) scheduler.stop();
    if (monotonic_seconds() - looked_s < kBetweenStops_s) return;
    looked_s = monotonic_seconds();
    for (const size_t index : scheduler.board().in(TrialState::running)) {
      const std::string& id = scheduler.board().trial(index).trial.id;
      if (is_stop_written(trial_folder(store, id))) scheduler.cancel(id);
    }
  });
  const bool has_more = has_trials_left(scheduler.board());
  const std::string too_long =
      scheduler.is_out_of_time() ? too_long_text(scheduler, plan.site, *whole_s) : "";
  const bool ends_early = scheduler.stopped() || scheduler.is_out_of_time();
  if (ends_early && has_more && too_long.empty()) jobs.requeue(job);
  return {.interrupted = ends_early,
          .started = scheduler.started(),
          .machine_problem = too_long.empty() ? scheduler.machine_problem() : too_long};
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
  if (set.is_closed()) return {.set_is_closed = true};
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
