// The progress of `run`: on a terminal a bar and a line per running trial, redrawn in place;
// elsewhere a line when a trial starts, one when it ends and one each minute.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/driver/cli/terminal.h"
#include "app/driver/run/short_titles.h"
#include "core/clock.h"
#include "core/config/schema.h"
#include "experiments/run/scheduler.h"

namespace rethink {

/// Parts of the live display's lines, none of which is wider than `columns`.
struct LiveTrial {
  std::string title;
  Progress progress;
  double seconds = 0;
  double newest_s = 0;  // time of its newest step, if it has taken one
};
struct LiveState {
  size_t done = 0, running = 0, failed = 0, diverged = 0, waiting = 0;
  size_t dropped = 0;         // cancelled or blocked
  bool stopping = false;      // running trials are being stopped
  double seconds = 0;         // since the run began
  double eta_s = -1;          // negative = unknown
  bool eta_is_least = false;  // nothing is known yet about the trials of some stage
  std::vector<LiveTrial> trials;
};
/// Adds the counts to the numbers of `state`.
void add_counts(const TrialCounts& counts, LiveState& state);

std::vector<std::string> draw(const LiveState& state, int columns, int rows);

/// Returns the same for a log, with the trial whose step is the newest: "2/8 done, 1 running, 4
/// waiting, 75 s, about 10 min left; lm seed 0  228/282  21.1 step/s  loss 4.417".
std::string minute_line(const LiveState& state);

/// Returns the text of a running trial's newest progress: "  120/400  12.5 step/s  loss 3.250".
/// Without a new step the trial is evaluating. Without a `step` it is starting. `of` = 0 means an
/// unknown end.
std::string progress_text(std::optional<int64_t> step, int64_t of,
                          std::optional<double> steps_per_s, std::optional<double> loss);

/// Returns "  test/perplexity@best 143.1": the metric named `score` of `metrics`, a done trial's final
/// metrics by name; without such a metric the last score on test, else on dev, else "".
std::string score_text(const std::string& score, const std::map<std::string, double>& metrics);

/// Returns the metric that is a trial's score, "test/perplexity@best"; "" if its job has none.
using ScoreOf = std::function<std::string(const Trial&)>;
/// The schema must outlive the function.
ScoreOf score_by_schema(const Schema& schema);

class ProgressDisplay : public SchedulerListener {
 public:
  enum class Mode { none, lines, live };
  using Clock = std::function<double()>;  // [s]
  /// Live display on a terminal, lines elsewhere, nothing with --quiet; `out` is standard error.
  /// `ended_before`: trials of the command that ended before and are not on the board. Without
  /// `score_of` no score is known.
  ProgressDisplay(Mode mode, std::FILE* out, Clock clock = monotonic_seconds,
                  TrialCounts ended_before = {}, ScoreOf score_of = {})
      : mode_(mode),
        out_(out),
        picture_(out),
        clock_(std::move(clock)),
        ended_before_(std::move(ended_before)),
        score_of_(std::move(score_of)) {}
  static Mode mode_for(std::FILE* out, bool quiet);

  void begun(const Board& board) override;
  void started(const PlannedTrial& trial, const Placement& placement) override;
  void adopted(const PlannedTrial& trial) override;
  void progressed(const PlannedTrial& trial, const Progress& progress) override;
  void ended(const PlannedTrial& trial, const EndedAttempt& left, TrialState after,
             double seconds) override;
  void notified(const std::string& text) override;
  void limited(const std::string& text) override;
  void tick() override;
  void finished() override;

 private:
  struct Mean {
    double sum_s = 0;
    size_t trials = 0;
    void add(double seconds) { sum_s += seconds, trials++; }
    double value() const { return sum_s / static_cast<double>(trials); }
  };
  struct Shown {
    const PlannedTrial* trial = nullptr;
    Progress progress;
    double since_s = 0;
    int64_t first_step = 0;    // of the first progress in this run
    int64_t newest_steps = 0;  // from the report before the newest one to the newest one
    double first_s = 0, newest_s = 0;
    bool says_resume = true;  // says once that it resumed; false for an adopted trial
  };
  static double each_s(const Shown& shown);
  static double left_s(const Shown& shown, double now_s);
  void line(const std::string& text);
  LiveState live_state() const;
  /// Mean time of a stage's trials, by stage, over ended trials and trials with an estimated end.
  std::map<std::string, Mean> paces() const;
  void set_eta(LiveState& state) const;

  Mode mode_;
  std::FILE* out_;
  Picture picture_;
  Clock clock_;
  const TrialCounts ended_before_;
  const ScoreOf score_of_;
  double line_s_ = 0;  // time of the last line that is written each minute
  const Board* board_ = nullptr;
  ShortTitles titles_;  // for the live display only, since lines of a log are read alone
  std::map<std::string, Shown> running_;
  double begun_s_ = 0;
  std::map<std::string, Mean> ended_;  // attempts that ended with a final state, by stage
};

}  // namespace rethink
