// Shows the progress of trials that this command does not run itself, by the store's index: in a
// driver's queue, or of pilots.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "app/driver/run/progress.h"
#include "core/clock.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_run.h"
#include "results/store/store.h"

namespace rethink {

/// Prints lines on standard error and below them the progress: redrawn in place on a terminal,
/// elsewhere a line each minute.
class WatchedDisplay {
 public:
  explicit WatchedDisplay(bool quiet) : mode_(ProgressDisplay::mode_for(stderr, quiet)) {}
  void line(const std::string& text);
  void progress(const LiveState& state);
  void end() { picture_.erase(); }

 private:
  const ProgressDisplay::Mode mode_;
  Picture picture_{stderr};
  double line_s_ = monotonic_seconds();
};

/// The requested trials of a command, with the trials that they need, by the store's index.
class WatchedTrials {
 public:
  /// `context`, `plans` and `display` must outlive the object. Without `asked` all trials of the plans count.
  /// `ended_before`: trials of the command that ended before and are not among these.
  WatchedTrials(const CommandContext& context, const std::vector<Plan>& plans,
                const std::optional<std::set<std::string>>& asked, WatchedDisplay& display,
                TrialCounts ended_before = {});

  /// Reads the states again, and writes to standard error which trials began or ended since the last look.
  void look();
  bool have_ended() const;
  /// Returns "3 of 8 trials done".
  std::string counts_text() const;
  RunReport report();

 private:
  std::string end_text(const std::string& id, TrialState state);
  LiveState live_state() const;
  /// Trials that no driver starts: they stopped at their `stop_at` (true), or wait for such trials.
  std::map<std::string, bool> held() const;
  bool will_repeat() const;
  size_t count(TrialState state) const;

  const CommandContext& context_;
  const std::vector<Plan>& plans_;
  WatchedDisplay& display_;
  const TrialCounts ended_before_;
  const ScoreOf score_of_;
  const double begun_s_ = monotonic_seconds();
  std::map<std::string, double> since_s_;  // when a trial was first seen running
  std::map<std::string, const PlannedTrial*> planned_;
  std::vector<std::string> ids_;  // in the order of the plans
  std::unique_ptr<Store> store_;
  std::map<std::string, TrialState> states_;
  bool is_first_look_ = true;
};

}  // namespace rethink
