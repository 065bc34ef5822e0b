// The queue of a driver: sweeps that another `rethink run` hands to it, as requests/<uuid>.run, because the store is its.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"
#include "experiments/run/requests.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_run.h"
#include "results/folders/store_lock.h"

namespace rethink {

/// Where its trials stand among those of the sweeps that the driver has.
enum class QueueOrder {
  after,   // they start where the others leave slots free
  beside,  // as if the driver had begun with them
  before   // they start first; what runs goes on
};
/// Throws ConfigError unless `text` is after, beside or before.
QueueOrder queue_order(const std::string& text);

/// The sweeps and choices of a `run` command.
struct QueuedSweeps {
  std::vector<std::filesystem::path> files;  // whole paths
  // profile, settings, of_several, only_stage, seeds, data, paths, may_lack_files
  PlanChoices choices;
  std::optional<std::set<std::string>> only_trials{};  // RunChoices::trials
  std::string device = "auto";
  std::vector<std::string> with;  // RunChoices::with
  QueueOrder order = QueueOrder::after;
  std::string build;   // of the worker whose schema planned them
  std::string trials;  // digest_of the plans that this command made: the driver must mean the same
  std::string by{};    // who asks, for the driver's log
};

/// The SHA-256 of the ids of all planned trials.
std::string digest_of(const std::vector<Plan>& plans);

/// The text of a request's file, and back. Throws ConfigError when it is damaged.
std::string queue_request_text(const QueuedSweeps& sweeps);
QueuedSweeps queue_request_from(const std::string& text, const std::filesystem::path& file);

/// Returns the machine on which trials run, in the planner's form.
Machine machine_to_run_on(const std::string& device, const std::filesystem::path& programs);

/// Hands the sweeps to the driver that holds the store. Nothing when nobody holds it, or not any more: then they are this
/// command's to run. Throws ConfigError with the driver's reason when it refuses them, MachineError when another command
/// holds the store, when the driver is of another build or another user, and when no answer comes.
std::optional<RequestAnswer> hand_to_driver(QueuedSweeps sweeps,
                                            const std::filesystem::path& store);

/// The queue of a driver, which receives sweeps from other commands.
class SweepQueue {
 public:
  /// All must outlive it. `choices`: of the run.
  SweepQueue(const Schema& schema, const RunChoices& choices, std::filesystem::path store,
             StoreLock& lock, Store& index, UsableGpu usable, SchedulerListener& listener)
      : schema_(schema),
        choices_(choices),
        store_(std::move(store)),
        lock_(lock),
        index_(index),
        usable_(usable),
        listener_(listener) {}

  /// Returns whether the store has a request for the queue.
  static bool has_requests(const std::filesystem::path& store);

  /// Plans and records what was left, answers, and adds to the scheduler what has not to wait for a running trial. `first`:
  /// the sweeps that the run began with. Returns whether trials were added.
  bool look(Scheduler& scheduler, const SweepBatch& first);
  /// Some sweep waits for a running trial.
  bool waits() const { return !waiting_.empty(); }

 private:
  struct Entry {
    std::vector<Plan> plans;
    RunChoices choices;
    std::string title;  // "tiny: 12 trials, 10 to run"
    QueueOrder order = QueueOrder::after;
    int rank = 0;
    std::string said{};  // what it waits for, as listeners know
    std::unique_ptr<SweepBatch> batch;
  };

  void take_in(const std::filesystem::path& file);
  std::unique_ptr<Entry> planned(const QueuedSweeps& sweeps) const;
  void require_mine(const QueuedSweeps& sweeps, const std::filesystem::path& file) const;
  bool admit(Entry& entry, Scheduler& scheduler, const SweepBatch& first);
  int rank_of(const Entry& entry, const Board& board, const SweepBatch& first);

  const Schema& schema_;
  const RunChoices& choices_;
  const std::filesystem::path store_;
  StoreLock& lock_;
  Store& index_;
  const UsableGpu usable_;
  SchedulerListener& listener_;
  std::list<std::unique_ptr<Entry>> waiting_;  // on record, and not on the board
  std::list<std::unique_ptr<Entry>> running_;  // on the board
};

}  // namespace rethink
