// Runs the trials of a plan: starts ready trials, watches running ones, and decides what follows
// from each end. One thread; all waiting happens in Runner::poll.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/run/attempts/runner.h"
#include "experiments/run/board.h"
#include "experiments/run/ledger.h"
#include "experiments/run/slots.h"

namespace rethink {

struct SchedulerOptions {
  std::optional<size_t> max_trials{};             // begin no more than this many
  bool fail_fast = false;                         // drain at the first failed trial
  std::chrono::milliseconds tick{250};            // between checks of events, limits and requests
  uint64_t least_free_bytes = uint64_t{1} << 30;  // below it, or two checkpoints, nothing starts
  // Folders of attempts.
  std::filesystem::path store{}, data{};
  std::filesystem::path cache{};       // of prepared data
  std::set<std::string> light_jobs{};  // jobs that the worker without LibTorch runs
  /// Returns the seconds until the pilot's job ends its trials; nothing without a limit. A trial
  /// that would not be done by then, and makes no checkpoint, does not start.
  std::function<std::optional<double>()> seconds_left{};
  /// Returns whether a machine, by its name, is of another kind than this one, for trials on a GPU
  /// or on the CPU (pilots/pilot.cpp).
  std::function<bool(const std::string& machine, bool gpu)> is_other_kind{};
};

/// Resources of a running trial. Trials with equal needs wait in one queue. `beside_memory` is the
/// job's fact.
Demand demand_of(const Trial& trial, const StageResources& resources,
                 const std::vector<std::string>& beside_memory);

/// Receives the scheduler's events, for example for the progress display.
class SchedulerListener {
 public:
  virtual ~SchedulerListener() = default;
  /// The board lives as long as the run.
  virtual void begun(const Board&) {}
  virtual void started(const PlannedTrial&, const Placement&) {}
  virtual void adopted(const PlannedTrial&) {}
  virtual void progressed(const PlannedTrial&, const Progress&) {}
  /// `after` is the trial's new state; ready = it will be tried again.
  virtual void ended(const PlannedTrial&, const EndedAttempt&, TrialState /*after*/,
                     double /*seconds*/) {}
  /// `text` says what somebody requested from the driver, and what it did. May come before begun.
  virtual void notified(const std::string& /*text*/) {}
  /// `text` says how many trials may run at once from now on, and why they are fewer than the slots.
  virtual void limited(const std::string& /*text*/) {}
  virtual void tick() {}
  virtual void finished() {}
};

/// Callers, ledger, runner and slots name trials by id; within, and on the board, a trial is its
/// index.
class Scheduler {
 public:
  using NowSeconds = std::function<double()>;

  Scheduler(Ledger& ledger, Runner& runner, Slots& slots, SchedulerListener& listener,
            SchedulerOptions options, NowSeconds now);

  /// Adds a trial. Call it before run(), or while it runs, followed by extend(); in the order of the
  /// plan. A trial that is already present stays. The trial must outlive the scheduler. `outlook` lacks the queue.
  void add(const PlannedTrial& trial, TrialState before = TrialState::waiting,
           TrialOutlook outlook = {});
  /// Ends a series of adds during run(): the new trials may start, and those that an earlier driver
  /// left running are watched.
  void extend();
  /// Records that a further sweep needs a present trial with this rank, if it is smaller than the trial's own.
  void prefer(const std::string& trial, int rank) { board_.prefer(board_.index_of(trial), rank); }
  /// Replaces the plan of a present trial by the plan of a newer command (Board::replace_plan).
  void replace_plan(const PlannedTrial& trial, bool at_stop) {
    board_.replace_plan(board_.index_of(trial.trial.id), trial, at_stop);
  }
  /// Sets the checkout of a program's code, by the hash of the code.
  void add_checkout(const std::string& code, const std::filesystem::path& checkout) {
    checkouts_[code] = checkout;
  }
  /// Makes attempts that start from now on keep their weights, whatever the plan says, since another sweep needs them.
  void keep_weights(const std::string& trial) { keep_weights_.insert(board_.index_of(trial)); }
  /// Returns whether the trial runs in an attempt that will not keep its weights.
  bool runs_without_weights(const std::string& trial) const;
  /// Runs a done trial again, since another trial needs its files.
  void repeat(const std::string& trial) { board_.repeat(board_.index_of(trial)); }
  /// Runs trials until nothing runs and nothing may start. Calls `between` on every tick, which may
  /// call the functions below. Throws faults of the machine that concern the driver itself
  /// (machine_fault.h), such as DiskFullError if it cannot write. The workers have then been
  /// signalled to end, and the next run reads their files.
  void run(const std::function<void()>& between = [] {});
  /// Sets attempts of earlier runs that count against a trial's retries. Call it before run(),
  /// after the last add.
  void charge(const std::string& trial, const Charges& before) {
    board_.charge(board_.index_of(trial), before);
  }

  /// Stops new starts; workers checkpoint and end. A second call kills them. Adopted workers that
  /// cannot be reached are listed and not waited for.
  void stop();
  /// Cancels a trial that no sweep needs any more; a running trial makes a checkpoint and ends.
  /// Returns "", or why its process, of an earlier driver, was left alone.
  std::string cancel(const std::string& trial);
  /// Runs a failed, diverged or cancelled trial again.
  void retry(const std::string& trial);
  /// Writes changed states to the index, which lags behind the board between two looks.
  void record_changes();

  const Board& board() const { return board_; }
  /// Returns why nothing more was started, if the machine is the reason: a full disk, a disk that
  /// fails again after a retry, or no more processes. "" otherwise.
  const std::string& machine_problem() const { return machine_problem_; }
  MachineFault fault() const { return fault_; }
  bool stopped() const { return stops_ > 0; }
  /// Returns whether trials are left because they do not fit into the rest of the job's time.
  bool is_out_of_time() const { return out_of_time_; }
  /// Returns the least time that a trial takes, as far as is known [s]; 0 if it makes a checkpoint.
  double needed_s(size_t index) const;
  /// Ranks a trial by the machine that made its last checkpoint: trials of this machine's kind
  /// first, then new trials, then trials of other kinds. Returns whether the rank changed.
  bool rank_by_kind(size_t index, const std::string& begun_on);
  /// Returns the number of started trials, each counted once.
  size_t started() const { return started_; }
  /// Returns why a trial failed or diverged; "" otherwise.
  std::string message(const std::string& trial) const { return message(board_.index_of(trial)); }

 private:
  struct Running {
    double since_s = 0, last_sign_s = 0;
    double before_s = 0;  // earlier attempts [s], for the time limit
    uint64_t bytes = 0;
    double term_s = 0;                        // when SIGTERM was sent; 0 = never
    std::optional<AttemptOutcome> ordered{};  // timeout
    std::string why{};                        // reason of the order
    bool killed = false;
    std::string problem{};  // why its process was left running
    bool keeps_weights = false;
  };

  void work(const std::function<void()>& between);
  void stop_after_fault();
  /// Throws MachineError if the store is no longer at its path.
  void require_store();
  void wait_for_gpu(size_t index);
  void adopt_orphans();
  const std::string& id_of(size_t index) const { return board_.trial(index).trial.id; }
  void adopt_orphan(size_t index);
  bool adopt_if_held(size_t index);
  bool may_begin_no_more() const;
  void finish_abandoned_attempt(size_t index);
  bool may_take(size_t index);
  void read_trials_of_other_pilots();
  std::string message(size_t index) const;
  void retry(size_t index);
  void retry_on_request();
  bool only_other_pilots_run();
  bool fits_in_time(size_t index, std::optional<double> left_s) const;
  bool nothing_fits_in_time() const;
  std::optional<double> seconds_left() const;
  /// `skip` has the few single trials that do not fit.
  std::optional<size_t> next(const std::set<size_t>& full = {},
                             const std::set<size_t>& skip = {}) const;
  /// Returns whether the trial requests to run alone, or has run out of the memory that CPU slots
  /// share while other trials ran.
  bool runs_alone(size_t index) const;
  const Demand& demand(size_t index) const { return *demands_[board_.queue(index)]; }
  AttemptRequest request(size_t index, const Placement& placement) const;
  bool keeps_weights(size_t index) const;
  void start_ready();
  bool may_start();
  void start_attempt(size_t index, const Placement& placement);
  bool room_on_disk();
  void take_peak_memory(size_t index);
  void handle_machine_fault(const EndedAttempt& left);
  void handle(const RunnerEvent& event);
  std::string lost_gpu_of(size_t index, const RunnerEvent& event);
  void finish(size_t index, const Ending& ending);
  double time_limit_s(size_t index) const;
  std::string earlier_end_text(size_t index) const;
  double grace_s(size_t index) const;
  void watch();
  void watch(size_t index, Running& running, double now_s);
  void drain();
  void signal_to_end(size_t index, Running& running, bool now);
  bool only_unreachable_run() const;

  Ledger& ledger_;
  Runner& runner_;
  Slots& slots_;
  SchedulerListener& listener_;
  SchedulerOptions options_;
  NowSeconds now_;
  Board board_;
  std::map<std::string, std::filesystem::path> checkouts_;
  std::set<size_t> keep_weights_;  // beside those of the plan
  std::map<Demand, size_t> queues_;
  std::vector<const Demand*> demands_;  // by queue
  size_t num_adopted_ = 0;              // first trials of the board that were checked for adoption
  std::map<size_t, Running> running_;
  std::map<size_t, std::string> messages_;
  std::map<size_t, std::string> last_ends_;  // by unfinished trial: why its last attempt ended
  std::set<size_t> fenced_;
  std::set<size_t> elsewhere_;            // of a shared store: trials that other processes run
  std::set<size_t> begun_;                // started by this run, and not finally ended
  std::map<size_t, double> fruitless_s_;  // of a shared store, as in TrialLook
  std::map<std::string, std::pair<double, int>> took_s_;  // sum and number of done trials, by stage
  bool out_of_time_ = false;
  bool others_may_be_dead_ = false;
  size_t started_ = 0;
  int stops_ = 0;
  StartLimit limit_;
  bool waits_ = false;  // for the limit, before the next start
  size_t reported_most_ = std::numeric_limits<size_t>::max();  // last reported limit
  std::string refusal_;                                        // reason of the limit
  bool waits_for_gpu_ = false;                                 // as last reported to listeners
  std::set<std::string> lost_gpus_;
  size_t disk_errors_ = 0;  // since the last done attempt
  std::string machine_problem_;
  MachineFault fault_ = MachineFault::none;
  double last_tick_s_ = -1e300, last_look_s_ = -1e300, last_doubt_s_ = -1e300;
};

}  // namespace rethink
