// What `run` shows while it works: on a terminal a bar and a line for each running trial, redrawn
// in place; elsewhere a line when a trial starts and one when it ends.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "experiments/schedule/scheduler.h"

namespace rethink {

/// The lines of one picture of the live display, none wider than `columns`.
struct LiveTrial {
  std::string title;
  Progress progress;
  double seconds = 0;
};
struct LiveState {
  size_t done = 0, running = 0, failed = 0, waiting = 0;
  size_t dropped = 0;  // cancelled or blocked
  double seconds = 0;  // since the run began
  double eta_s = -1;   // negative = not known
  std::vector<LiveTrial> trials;
};
std::vector<std::string> draw(const LiveState& state, int columns, int rows);

/// `text` in at most `columns` characters: what is too much goes from its middle, with an ellipsis.
std::string cut_middle(const std::string& text, int columns);

/// 80 where `out` is no terminal.
int columns_of_terminal(std::FILE* out);

/// "3 h 05 min", "12 min", "48 s", "0.4 s"
std::string duration_text(double seconds);

class ProgressDisplay : public SchedulerListener {
 public:
  enum class Mode { none, lines, live };
  /// live on a terminal, lines elsewhere, none with --quiet; `out` is standard error.
  ProgressDisplay(Mode mode, std::FILE* out) : mode_(mode), out_(out) {}
  static Mode mode_for(std::FILE* out, bool quiet);

  void begun(const Board& board) override;
  void started(const ScheduledTrial& trial, const Placement& placement) override;
  void adopted(const ScheduledTrial& trial) override;
  void progressed(const ScheduledTrial& trial, const Progress& progress) override;
  void ended(const ScheduledTrial& trial, const Left& left, State after, double seconds) override;
  void tick() override;
  /// Takes the picture away, so that other text may follow.
  void finished() override;

 private:
  struct Shown {
    std::string title;
    Progress progress;
    double since_s = 0;
  };
  void erase();
  void line(const std::string& text);
  LiveState live_state() const;
  double eta_s() const;

  Mode mode_;
  std::FILE* out_;
  const Board* board_ = nullptr;
  std::map<std::string, Shown> running_;
  double begun_s_ = 0;
  double work_s_ = 0;  // of attempts that ended with a final state
  size_t ended_ = 0;
  size_t lines_drawn_ = 0;
};

}  // namespace rethink
