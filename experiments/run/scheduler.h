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

#include "experiments/run/board.h"
#include "experiments/run/ledger.h"
#include "experiments/run/runner.h"
#include "experiments/run/slots.h"

namespace rethink {

struct SchedulerOptions {
  std::optional<size_t> max_trials{};             // begin no more than this many
  bool fail_fast = false;                         // drain at the first failed trial
  std::chrono::milliseconds tick{250};            // between looks at events, limits and requests
  uint64_t least_free_bytes = uint64_t{1} << 30;  // below it, or two checkpoints, nothing starts
  // Where attempts work.
  std::filesystem::path store{}, data{};
  std::filesystem::path cache{};       // of prepared data
  std::set<std::string> light_jobs{};  // that the worker without LibTorch runs
};

/// Resources of a running trial. Trials with equal needs wait in one queue. `beside_memory` is the
/// job's fact.
Demand demand_of(const PlannedTrial& trial, const std::vector<std::string>& beside_memory);

/// Who wants to know, such as the progress display.
class SchedulerListener {
 public:
  virtual ~SchedulerListener() = default;
  /// The board lives as long as the run.
  virtual void begun(const Board&) {}
  virtual void started(const PlannedTrial&, const Placement&) {}
  virtual void adopted(const PlannedTrial&) {}
  virtual void progressed(const PlannedTrial&, const Progress&) {}
  /// `after`: the trial's state that follows; ready = it will be tried again.
  virtual void ended(const PlannedTrial&, const EndedAttempt&, TrialState /*after*/,
                     double /*seconds*/) {}
  /// `text`: what somebody asked of the driver, and what it did; before begun, too.
  virtual void told(const std::string& /*text*/) {}
  /// `text`: how many trials may run at once from now on, and why fewer than there are slots.
  virtual void limited(const std::string& /*text*/) {}
  virtual void tick() {}
  virtual void finished() {}
};

class Scheduler {
 public:
  using NowSeconds = std::function<double()>;

  Scheduler(Ledger& ledger, Runner& runner, Slots& slots, SchedulerListener& listener,
            SchedulerOptions options, NowSeconds now);

  /// Before run() or, followed by extend(), while it runs; in plan order, with the resources that it runs with. A trial
  /// that is there already is left alone. The trial must outlive the scheduler. `outlook`: less the queue.
  void add(const PlannedTrial& trial, TrialState before = TrialState::waiting,
           TrialOutlook outlook = {});
  /// While it runs, after the last of further adds: their trials may start, and those that an earlier driver left running
  /// are watched.
  void extend();
  /// A further sweep wants a trial that is there: with this rank, if that is smaller than its own.
  void prefer(const std::string& trial, int rank) { board_.prefer(trial, rank); }
  /// Of a program: the checkout of its code, by the hash of the code.
  void add_checkout(const std::string& code, const std::filesystem::path& checkout) {
    checkouts_[code] = checkout;
  }
  /// What starts from now on leaves its weights, whatever its plan says: another sweep needs them.
  void keep_weights(const std::string& trial) { keep_weights_.insert(trial); }
  /// It runs, and was started without leaving its weights.
  bool runs_without_weights(const std::string& trial) const;
  /// Runs a done trial again, whose files another one needs.
  void repeat(const std::string& trial) { board_.repeat(trial); }
  /// Until nothing runs and nothing may start. `between` is called on every tick: it may call the
  /// functions below. Throws what the machine cannot do for the driver itself (machine_fault.h), as
  /// DiskFullError when it cannot write: the workers have been told to end, and what they left is
  /// taken in by the next run.
  void run(const std::function<void()>& between = [] {});
  /// Before run(), after the last add: attempts of earlier runs that count against a trial's
  /// retries.
  void charge(const std::string& trial, const Charges& before) { board_.charge(trial, before); }

  /// Stops new starts; workers checkpoint and end. A second call kills them. Adopted workers that
  /// cannot be reached are named and not waited for.
  void stop();
  /// Cancels a trial that no sweep needs any more; a running trial makes a checkpoint and ends.
  /// Returns "", or why its process, of an earlier driver, was left alone.
  std::string cancel(const std::string& trial);
  /// Runs a failed, diverged or cancelled trial again.
  void retry(const std::string& trial);
  /// Writes the states that changed to the index, which between two looks is behind the board.
  void record_changes();

  const Board& board() const { return board_; }
  /// Returns why nothing more was started, if the machine is the reason: a full disk, a disk that
  /// fails again after a retry, or no more processes. "" otherwise.
  const std::string& machine_problem() const { return machine_problem_; }
  MachineFault fault() const { return fault_; }
  bool stopped() const { return stops_ > 0; }
  /// Trials, each once however often it was tried.
  size_t started() const { return started_; }
  const std::map<std::string, std::string>& messages() const {
    return messages_;
  }  // why each failed

 private:
  struct Running {
    double since_s = 0, last_sign_s = 0;
    double before_s = 0;  // earlier attempts, for the time limit
    uint64_t bytes = 0;
    double term_s = 0;                        // when SIGTERM was sent; 0 = never
    std::optional<AttemptOutcome> ordered{};  // timeout
    std::string why{};                        // of the order
    bool killed = false;
    std::string problem{};  // why its process was left alone when it was told to end
    bool keeps_weights = false;
  };

  void work(const std::function<void()>& between);
  void let_go();
  /// Throws MachineError where the store is no longer at its path.
  void require_store();
  void wait_for_gpu();
  void adopt_orphans();
  void adopt_orphan(const std::string& id);
  bool adopt_if_held(const std::string& id);
  bool may_begin_no_more() const;
  void settle_left_behind(const std::string& id);
  bool may_take(const std::string& id);
  void look_elsewhere();
  void look_at_given_up();
  bool only_others_work() const;
  std::optional<std::string> next(const std::set<size_t>& full,
                                  const std::set<std::string>& skip) const;
  /// It asks for it; or CPU slots share one memory, and it ran out of that when others were beside
  /// it.
  bool runs_alone(const std::string& id) const;
  const Demand& demand(const std::string& id) const { return *demands_[board_.queue(id)]; }
  AttemptRequest request(const PlannedTrial& trial, const Placement& placement) const;
  bool keeps_weights(const PlannedTrial& trial) const;
  void start_ready();
  bool may_start();
  void start(const std::string& id, const Placement& placement);
  bool room_on_disk();
  void take_peak_memory(const std::string& id);
  void heed(const EndedAttempt& left);
  void handle(const RunnerEvent& event);
  std::string lost_gpu_of(const RunnerEvent& event);
  void finish(const std::string& id, const Ending& ending);
  double time_limit_s(const PlannedTrial& trial) const;
  double grace_s(const PlannedTrial& trial) const;
  void watch();
  void watch(const std::string& id, Running& running, double now_s);
  void drain();
  void tell_to_end(const std::string& id, Running& running, bool now);
  bool only_unreachable_run() const;

  Ledger& ledger_;
  Runner& runner_;
  Slots& slots_;
  SchedulerListener& listener_;
  SchedulerOptions options_;
  NowSeconds now_;
  Board board_;
  std::map<std::string, std::filesystem::path> checkouts_;
  std::set<std::string> keep_weights_;  // beside those of which the plan says it
  std::map<Demand, size_t> queues_;
  std::vector<const Demand*> demands_;  // by queue
  size_t num_adopted_ = 0;              // trials of the board that were looked at
  std::map<std::string, Running> running_;
  std::map<std::string, std::string> messages_;
  std::set<std::string> fenced_;
  std::set<std::string> elsewhere_;  // of a shared store: trials that others run
  std::set<std::string> begun_;      // by this run, and not ended for good
  size_t started_ = 0;
  int stops_ = 0;
  StartLimit limit_;
  bool waits_ = false;                                     // for the limit, before the next start
  size_t told_most_ = std::numeric_limits<size_t>::max();  // the limit that listeners know of
  std::string refusal_;                                    // why there is a limit
  bool waits_for_gpu_ = false;                             // as listeners know
  std::set<std::string> lost_gpus_;
  size_t disk_errors_ = 0;  // since an attempt was done
  std::string machine_problem_;
  MachineFault fault_ = MachineFault::none;
  double last_tick_s_ = -1e300, last_look_s_ = -1e300;
};

}  // namespace rethink
