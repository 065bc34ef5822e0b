// The queue of a driver: sweeps that another `rethink run` passes to it as requests/<uuid>.run,
// since the driver holds the store.
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

/// Position of a sweep's trials among the trials of the driver's other sweeps.
enum class QueueOrder {
  after,   // they start if the others leave slots free
  beside,  // in turn with the first of these sweeps: each gets every other free slot
  before   // they start first; running trials continue
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
  std::string build;   // of the worker that wrote the schema of the plan
  std::string trials;  // digest_of this command's plans, which must equal the driver's
  std::string by{};    // the requester, for the driver's log
};

/// Returns the SHA-256 of the ids of all planned trials.
std::string digest_of(const std::vector<Plan>& plans);

/// Convert to and from the text of a request's file. Throw ConfigError if it is damaged.
std::string queue_request_text(const QueuedSweeps& sweeps);
QueuedSweeps queue_request_from(const std::string& text, const std::filesystem::path& file);

/// Returns the machine on which trials run, in the planner's form.
Machine machine_to_run_on(const std::string& device, const std::filesystem::path& programs);

/// Passes the sweeps to the driver that holds the store. Returns nothing if no process holds the store, or if the driver
/// ends before it answers; this command must then run the sweeps. Throws ConfigError with the driver's reason if it refuses them. Throws MachineError if
/// another command holds the store, if the driver is of another build or another user, and if no answer comes.
std::optional<RequestAnswer> hand_to_driver(QueuedSweeps sweeps,
                                            const std::filesystem::path& store);

/// The queue of a driver, which receives sweeps from other commands.
class SweepQueue {
 public:
  /// All arguments must outlive the object. `choices` are those of the run.
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

  /// Plans and records passed sweeps, answers, and adds to the scheduler those that need not wait for a running trial.
  /// `first` has the sweeps that the run began with. Returns whether trials were added.
  bool look(Scheduler& scheduler, const SweepBatch& first);
  /// Returns whether a sweep waits for a running trial.
  bool waits() const { return !waiting_.empty(); }
  /// Returns the titles of passed sweeps whose trials have not all ended: "tiny, 12 trials".
  std::vector<std::string> unfinished(const Board& board) const;

 private:
  struct Entry {
    std::vector<Plan> plans;
    RunChoices choices;
    std::string title;  // "tiny: 12 trials, 10 to run"
    QueueOrder order = QueueOrder::after;
    int rank = 0;
    std::string said{};  // the trial that it waits for, as last reported to listeners
    std::unique_ptr<SweepBatch> batch;
  };

  void take_in(const std::filesystem::path& file, const Board& board, const SweepBatch& first);
  bool has_sweep_of(const Entry& entry, const Board& board, const SweepBatch& first) const;
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
  std::list<std::unique_ptr<Entry>> waiting_;  // recorded, and not on the board
  std::list<std::unique_ptr<Entry>> running_;  // on the board
  size_t turns_ = 0;                           // TrialOutlook::turn of the newest of these
};

}  // namespace rethink
