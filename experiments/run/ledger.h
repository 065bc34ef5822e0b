// The scheduler's interface to the disk, so that its rules can be tested without files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/attempt/attempt_request.h"
#include "experiments/run/board.h"

namespace rethink {

/// The newest signs of life of a running attempt.
struct Progress {
  uint64_t bytes = 0;        // size of the events; grows while the worker lives
  int64_t resume_step = 0;   // step from which this attempt continued; also 0 while unknown
  bool has_ticked = false;   // whether the job itself has reported progress
  int64_t step = 0, of = 0;  // of: 0 if the job does not know its end
  std::optional<double> loss, steps_per_s;
};

/// The driver's knowledge of how an attempt's process ended.
struct Ending {
  bool status_known = false;
  int status = 0;  // of waitpid
  bool oom_killed = false;
  bool driver_gone = false;  // a later driver found the attempt dead
  bool zygote_gone = false;  // the zygote died, and the status with it
  bool refused = false;      // the attempt never started: the system refused a process
  std::string message;       // why it was never started
  std::string lost_gpu{};    // its GPU, which the machine no longer lists
  std::optional<AttemptOutcome> ordered{};  // timeout: the driver ended it
  double seconds = 0;
};

/// Results of an ended attempt.
struct EndedAttempt {
  AttemptOutcome outcome = AttemptOutcome::lost;
  bool new_checkpoint = false;
  bool free = false;  // not charged
  MachineFault fault = MachineFault::none;
  std::string message;                    // why it failed
  std::vector<std::string> warnings;      // of the attempt, for people
  std::map<std::string, double> metrics;  // finite final metrics: "test/perplexity@best"
  std::string chosen;  // of a done select: winner and metric, "optimizer.lr=0.1 (dev/score 0.5)"
};

/// State of a trial's folder in a store that other processes, also on other machines, use.
struct TrialLook {
  enum class Kind {
    mine,         // this process may begin it
    elsewhere,    // another process runs it
    left_behind,  // an attempt is dead or the result is damaged, and nobody has recorded that
    ended         // with `state`
  };
  Kind kind = Kind::mine;
  TrialState state = TrialState::done;
  Charges charged{};  // of a trial to begin: charges of all attempts so far
  // Of a trial to begin: the longest interrupted attempt since the last checkpoint [s], and the
  // machine that made that checkpoint; empty: no checkpoint, or not recorded.
  double fruitless_s = 0;
  std::string begun_on{};
};

class Ledger {
 public:
  virtual ~Ledger() = default;

  /// Returns whether other processes run trials of the store at the same time. Each trial is then
  /// looked at before it begins, and no worker is adopted.
  virtual bool is_shared() const { return false; }
  virtual TrialLook look(const std::string& /*trial*/) { return {}; }
  /// Of a trial that another process runs: whether that process may be dead, as a longer watch will
  /// show.
  virtual bool may_be_dead(const std::string& /*trial*/) { return false; }
  /// Returns what the trial's next worker has to claim. Requires: the last look found that this
  /// process may begin the trial.
  virtual std::optional<AttemptClaim> claim(const std::string& /*trial*/) { return std::nullopt; }

  /// Returns "" while the store is at its path. Otherwise returns that it was moved or removed, and
  /// what to do. Missing files then say nothing about a trial.
  virtual std::string moved_store_text() = 0;
  /// Returns the same after a failure. Since a removal of the store starts with its folders, it
  /// waits for a moment.
  virtual std::string moved_store_text_soon() = 0;

  /// Returns whether a process runs the trial.
  virtual bool held(const std::string& trial) = 0;
  /// Returns whether an attempt ended, or a result exists, that no driver has read, since the
  /// driver died first.
  virtual bool unsettled(const std::string& trial) = 0;
  /// Returns how long the ended attempts ran, since the last `retry` [s].
  virtual double seconds_before(const std::string& trial) = 0;
  /// Returns the running time of the last attempt by its own events [s].
  virtual double seconds_of_last(const std::string& trial) = 0;
  /// Reads new events of a running attempt. Without events its progress is unknown, whatever
  /// earlier attempts did.
  virtual Progress progress(const std::string& trial) = 0;
  /// Reads and judges what an ended attempt left.
  virtual EndedAttempt close(const std::string& trial, const Ending& ending) = 0;
  /// Records how the attempt ended and the trial's new state. Durable: everything that the trial's
  /// folder does not show otherwise.
  virtual void seal(const std::string& trial, const EndedAttempt& left, const Ending& ending,
                    TrialState after) = 0;
  /// Records the state in the index.
  virtual void record(const std::string& trial, TrialState state, const std::string& message) = 0;
  /// Commits everything read and recorded so far to the index.
  virtual void commit() = 0;
  /// Returns the cores that the last worker may use; empty = unknown.
  virtual std::vector<int> cores_of_last(const std::string& trial) = 0;
  /// Returns the GPU of the last attempt; nothing for a CPU, or if unknown.
  virtual std::optional<std::string> gpu_of_last(const std::string& trial) = 0;
  /// Return the free bytes of the store's disk, and the size of the largest known checkpoint.
  virtual uint64_t free_bytes() = 0;
  virtual uint64_t checkpoint_bytes() = 0;
  /// Returns the GPU memory that a trial has used; nothing if it did not say.
  virtual std::optional<uint64_t> peak_gpu_bytes(const std::string& trial) = 0;
};

}  // namespace rethink
