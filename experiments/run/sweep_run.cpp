#include "experiments/run/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/clock.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "core/text.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/plan/expand/input_hashes.h"
#include "experiments/plan/needed_files.h"
#include "experiments/plan/plan.h"
#include "experiments/run/attempts/attempt_history.h"
#include "experiments/run/attempts/first_attempt_settings.h"
#include "experiments/run/attempts/libtorch_here.h"
#include "experiments/run/attempts/zygote_runner.h"
#include "experiments/run/folder_ledger.h"
#include "experiments/run/gpu.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/run/requests.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_queue.h"
#include "results/database/database_place.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/records/known_trials.h"
#include "results/store/ingest.h"
#include "results/store/left_running.h"
#include "results/store/pilot_changes.h"
#include "results/store/rebuild.h"
#include "results/upkeep/removed_trials.h"

namespace rethink {
namespace {

std::vector<std::string> names_of(const std::vector<Plan>& plans) {
  std::vector<std::string> names;
  for (const Plan& plan : plans) names.push_back(plan.sweep);
  return names;
}

/// Printed at the first Ctrl-C: what the end of the run waits for.
void announce_stop(size_t running, SchedulerListener& listener) {
  if (running == 0) return;
  listener.notified(
      fmt::format("stop: waits for checkpoints of {}; Ctrl-C again kills {}, and what {} "
                  "did since the last checkpoint runs again",
                  counted(running, "running trial"), running == 1 ? "it" : "them",
                  running == 1 ? "it" : "they"));
}

/// One run, from the lock to the report.
class SweepRun {
 public:
  SweepRun(const std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices)
      : schema_(schema),
        choices_(choices),
        store_(std::filesystem::absolute(choices.store)),
        lock_(StoreLock::take(store_, "run", names_of(plans), schema.build_id)),
        index_(open_store_to_run(store_)),
        batch_(plans, schema, choices, store_, index_) {
    warn_of_disk(store_);
  }

  RunReport run(SchedulerListener& listener, const std::atomic<int>& signals) {
    index_.wait_while([&signals] { return signals.load() < 2; });  // Ctrl-C twice
    for (const std::string& text : answer_requests(store_, index_, nullptr))
      listener.notified(text);
    take_in_pilots(index_, store_);
    if (const std::string reason =
            reason_to_leave_to_pilots(store_, index_, batch_.unfinished_ids());
        !reason.empty())
      throw MachineError("store-in-use", fmt::format("{}: {}", store_.string(), reason));
    batch_.record();
    batch_.prepare(nullptr);
    const VisibleGpus visible = find_gpus();
    const UsableGpu usable = {.of_jobs = can_use_gpu(visible, choices_.programs),
                              .of_programs = !visible.gpus.empty()};
    Slots slots(choices_.slots, usable_cores(), visible.gpus, usable_cpus());
    if (!visible.gpus.empty()) slots.read_gpus_by(gpus_at_most_old());
    FolderLedger ledger(store_, index_, &lock_);
    // A run without work needs no worker.
    if (batch_.is_settled() && !SweepQueue::has_requests(store_)) return batch_.report(nullptr);
    std::optional<ZygoteRunner> processes;
    if (!choices_.runner) {
      processes.emplace(choices_.programs / "rethink-worker", schema_.build_id);
      if (const std::string job = batch_.job_with_libtorch(); !job.empty()) {
        require_libtorch(fmt::format("job '{}'", job));
        processes->prepare();
      }
    }
    Scheduler scheduler(ledger, processes ? *processes : *choices_.runner, slots, listener,
                        batch_.scheduler_options(), monotonic_seconds);
    batch_.fill(scheduler, usable, 0, 0);
    SweepQueue queue(schema_, choices_, store_, lock_, index_, usable, listener);
    int seen = 0;
    const auto between = [&] {
      for (; seen < std::min(signals.load(), 2); ++seen) {
        if (seen == 0) {
          announce_stop(scheduler.board().count(TrialState::running), listener);
          try {
            lock_.announce_stop();
          } catch (const MachineError&) {  // a full disk: other commands then do not know it
          }
        }
        scheduler.stop();
      }
      ledger.commit();
      for (const std::string& text : answer_requests(store_, index_, &scheduler))
        listener.notified(text);
      queue.look(scheduler, batch_);
    };
    scheduler.run(between);
    // Requests that arrived while the last trial ended.
    while (scheduler.machine_problem().empty() && queue.look(scheduler, batch_))
      scheduler.run(between);
    if (const auto left = queue.unfinished(scheduler.board()); !left.empty()) {
      listener.notified(fmt::format(
          "not run to the end: {}; a command that waits for its sweep continues by itself; `{}` "
          "has the commands that resume the others",
          joined(left, "; "), store_command("status", choices_.store)));
    }
    index_.widen_runs();  // for readers who open the file themselves
    return batch_.report(&scheduler);
  }

 private:
  const Schema& schema_;
  const RunChoices& choices_;
  const std::filesystem::path store_;
  StoreLock lock_;
  Store index_;
  SweepBatch batch_;  // the plans with which the run began
};
}  // namespace

/// A lock that a disk grants to everybody looks like a held one, so that nobody else would notice.
void warn_of_disk(const std::filesystem::path& store) {
  if (const std::string trouble = trouble_of_database_place(store); !trouble.empty())
    log_warning(trouble);
  const LockProbe locks = probe_locks(store);
  if (locks.support != LockSupport::keeps_nobody_out) return;
  log_warning(fmt::format(
      "{}: its disk {}: commands that run at the same time may run one trial twice and "
      "damage the database (`{}` makes it again); put the store on a local disk (--store)",
      store.string(), locks.problem, store_command("db rebuild", store)));
}

Store open_store_to_run(const std::filesystem::path& store) {
  set_kill_point_folder(store);
  for (const std::string& trouble : finish_earlier_removals(store))
    log_warning("left by an earlier rm: " + trouble);
  return Store(store, Store::Access::write);
}

size_t RunReport::count(TrialState state) const {
  const auto found = states.find(state);
  return found == states.end() ? 0 : found->second;
}

RunReport run_sweeps(const std::vector<Plan>& plans, const Schema& schema,
                     const RunChoices& choices, SchedulerListener& listener,
                     const std::atomic<int>& signals) {
  return SweepRun(plans, schema, choices).run(listener, signals);
}

}  // namespace rethink
