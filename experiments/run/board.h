// Every trial of a run with its state and its charged attempts, and the choice of the next trial to start. The board
// has only rules, no files, processes or clock, so tests try thousands of histories per second.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trial_state.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Returns whether an attempt counts against a trial's retries: one rule for the run that sees the
/// attempt end, and for a later run that reads about it. `free` means that it ended with its driver
/// or zygote, by a full disk or by an interruption. An attempt with a new checkpoint is not
/// charged, except for a timeout: a stopped attempt always leaves a checkpoint, and a time limit
/// would otherwise limit nothing.
bool is_charged(AttemptOutcome outcome, bool new_checkpoint, bool free);

/// The retries that a trial has used up.
class Charges {
 public:
  /// Records the end of the next attempt. A new checkpoint clears all charges but timeouts.
  void take(AttemptOutcome outcome, bool new_checkpoint, bool charged);
  int of(AttemptOutcome outcome) const;

 private:
  std::map<AttemptOutcome, int> times_;
};

/// Number of retries after `outcome`. Outcomes that `retry` lacks have their default.
int retries_allowed(const std::map<AttemptOutcome, int>& retry, AttemptOutcome outcome);

/// The run's knowledge of a trial beside its plan.
struct TrialOutlook {
  std::set<std::string> winners{};           // chosen by the selects among its needs: needs, too
  double expected_s = 0;                     // 0 = not known
  bool makes_checkpoints = false;            // when the trial gets SIGTERM
  std::vector<std::string> beside_memory{};  // the job's fact (core/facts/job_facts.h)
  size_t queue = 0;   // of trials with equal demands: if one does not fit, none does
  int rank = 0;       // a ready trial of a smaller rank starts first
  size_t turn = 0;    // sweeps of one rank take turns: the next is the one with the oldest start
  bool held = false;  // at its `stop_at`: neither this trial nor those that need it start
  /// How it runs here, by its first attempt, this machine and other sweeps; none: as planned.
  std::optional<Shared<StageResources>> resources{};

  const Shared<StageResources>& resources_of(const PlannedTrial& trial) const {
    return resources ? *resources : trial.resources;
  }
};

class Board {
 public:
  /// Adds a trial in its state before this run. A state that its folder does not show (is_recorded_in_folder) means that the
  /// trial must run. A trial that is already on the board stays. The trial must outlive the board.
  void add(const PlannedTrial& trial, TrialState before, const TrialOutlook& outlook = {});
  /// Connects trials with the trials that they need. Call it after the last add, and after further
  /// adds. Needed trials that are not on the board count as done.
  void connect();

  using Allows = std::function<bool(size_t index)>;
  /// Returns the next trial to start: the smallest rank, then the sweep whose turn it is, then the
  /// longest expected time, then the order of adding; nothing if no trial is ready or the board
  /// drains. `full` has the queues whose trials do not fit at present; `allows` returns whether a
  /// trial may start, and any may without it.
  std::optional<size_t> next(const std::set<size_t>& full = {}, const Allows& allows = {}) const;
  /// Records that the trial runs. Requires: the trial is ready (an orphan: or waiting).
  void mark_running(size_t index);

  /// Ends a running trial. `new_checkpoint` means that the attempt published a checkpoint and is
  /// not charged. `free` means that it ended with its driver or zygote, by a full disk or by an
  /// interruption.
  struct Ended {
    AttemptOutcome outcome = AttemptOutcome::lost;
    bool new_checkpoint = false;
    bool free = false;
    bool held = false;  // it stopped at its `stop_at`
  };
  TrialState end(size_t index, const Ended& ended);
  /// Sets the charges of attempts before this run.
  void charge(size_t index, const Charges& before);
  /// Returns how many attempts were charged as `outcome` and not cleared since.
  int charged(size_t index, AttemptOutcome outcome) const {
    return entries_.at(index).charged.of(outcome);
  }

  /// Cancels a trial that no sweep needs any more, and blocks the trials that need it. A running
  /// trial changes its state when its attempt ends.
  void cancel(size_t index);
  /// Runs a failed, cancelled or diverged trial again, with fresh retries. Its blocked children
  /// wait again.
  void retry(size_t index);

  /// Records that a sweep of this rank needs the trial, too. A smaller rank stays.
  void prefer(size_t index, int rank);
  /// Replaces the plan of a trial that is on the board by the plan of a newer command, whose options
  /// that are not hashed may differ. Its resources stay, since the slots count with them. `at_stop`:
  /// the trial is at the `stop_at` of that plan. The new plan must outlive the board, too.
  void replace_plan(size_t index, const PlannedTrial& trial, bool at_stop);
  void set_rank(size_t index, int rank);
  /// Runs a done trial again because another trial needs its files. Its waiting children wait
  /// again. Requires: done.
  void repeat(size_t index);

  /// Records what the trial's folder says now, since other pilots use the store: a state
  /// (is_recorded_in_folder), running by another pilot's worker, or nothing.
  void set_recorded(size_t index, std::optional<TrialState> state);

  /// Trials that stopped at their `stop_at`, without those that wait for them.
  size_t num_held() const;
  /// Returns whether neither this run nor a pilot starts the trial: it stopped at its `stop_at`, or
  /// waits for one that did.
  bool is_held(size_t index) const { return entries_.at(index).is_held(); }

  /// Stops all further starts.
  void drain() { draining_ = true; }
  bool draining() const { return draining_; }

  bool has(const std::string& id) const { return index_.contains(id); }
  /// Returns a trial's index, its position in the order of adding; nothing if it is not on the board.
  std::optional<size_t> find(const std::string& id) const;
  /// Requires: the trial is on the board.
  size_t index_of(const std::string& id) const;
  TrialState state(const std::string& id) const { return state(index_of(id)); }
  const PlannedTrial& trial(const std::string& id) const { return trial(index_of(id)); }
  bool is_held(const std::string& id) const { return is_held(index_of(id)); }
  TrialState state(size_t index) const { return entries_.at(index).state; }
  const PlannedTrial& trial(size_t index) const { return *entries_.at(index).trial; }
  const StageResources& resources(size_t index) const { return *entries_.at(index).resources; }
  double expected_s(size_t index) const { return entries_.at(index).expected_s; }
  int rank(size_t index) const { return entries_.at(index).rank; }
  bool makes_checkpoints(size_t index) const { return entries_.at(index).makes_checkpoints; }
  size_t queue(size_t index) const { return entries_.at(index).queue; }
  bool cancel_wanted(size_t index) const { return entries_.at(index).facts.given_up; }
  size_t count(TrialState state) const { return counts_[static_cast<size_t>(state)]; }
  size_t size() const { return entries_.size(); }
  /// Returns the trials in the order of adding: all, or the indices of those in a state.
  std::vector<const PlannedTrial*> trials() const;
  std::vector<size_t> in(TrialState state) const;
  /// Returns whether nothing runs and nothing may start.
  bool finished() const;
  /// Returns, once each, the trials whose folder's state changed, or that started or stopped, since
  /// the last call. An index needs only these; other states follow from them.
  std::vector<size_t> take_changed();

 private:
  struct Child {
    size_t index;
    bool may_diverge;  // the need only has to end, as the candidates of a select do
  };
  struct Entry {
    const PlannedTrial* trial;
    Shared<StageResources> resources;
    double expected_s;
    bool makes_checkpoints;
    size_t queue;
    int rank;
    size_t turn;
    bool at_stop = false;  // it stopped at its `stop_at`
    TrialFacts facts{};
    TrialState state = TrialState::waiting;  // by the facts and needs
    int needs_open = 0, needs_lost = 0, needs_held = 0;
    std::vector<Child> children{};
    Charges charged{};
    bool is_held() const { return at_stop || needs_held > 0; }
  };
  struct Place {  // position in the queue of ready trials
    int rank;
    double expected_s;
    size_t index;
    auto operator<=>(const Place& other) const {
      if (rank != other.rank) return std::partial_ordering(rank <=> other.rank);
      if (expected_s != other.expected_s) return other.expected_s <=> expected_s;
      return std::partial_ordering(index <=> other.index);
    }
    bool operator==(const Place&) const = default;
  };

  /// Trials with equal resources, of sweeps with the same turn.
  using ReadyKey = std::pair<size_t, size_t>;  // queue, turn
  static ReadyKey ready_key(const Entry& entry) { return {entry.queue, entry.turn}; }
  size_t last_start_of(const Entry& entry) const;

  static std::string text_of(const Entry& entry);  // for messages on bugs
  static NeedState needs_of(const Entry& entry);
  /// Computes the state of the trial again, and of the trials that need it.
  void update(size_t index);
  void set(size_t index, TrialState state);
  void connect(size_t child, std::string_view need, bool may_diverge);
  /// Adds 1 or -1 to `child`'s count of needs in `state`.
  void count_need(Child child, TrialState state, int change);
  static bool is_queued(const Entry& entry) {
    return entry.state == TrialState::ready && !entry.is_held();
  }
  /// Sets whether the trial is at its `stop_at`, and adds `more` to its held needs.
  void hold(size_t index, bool at_stop, int more);
  static bool may_retry(Entry& entry, const Ended& ended);

  static Place place_of(const Entry& entry, size_t index) {
    return {entry.rank, entry.expected_s, index};
  }
  void take_from_queue(size_t index);

  std::vector<Entry> entries_;
  size_t connected_ = 0;  // number of connected entries_
  std::unordered_map<std::string_view, size_t> index_;
  std::map<size_t, std::set<std::string>> winners_;  // by index, until they are connected
  std::map<ReadyKey, std::set<Place>> ready_;        // none is empty
  std::map<size_t, size_t> last_starts_;             // by turn: which of all starts was its last
  size_t starts_ = 0;
  std::set<size_t> changed_;
  std::array<size_t, kTrialStates.size()> counts_{};
  bool draining_ = false;
};

}  // namespace rethink
