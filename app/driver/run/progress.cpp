#include "app/driver/run/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "core/text.h"
#include "core/trial_state.h"
#include "experiments/plan/expand/recorded_metrics.h"

namespace rethink {
namespace {

constexpr int kBarWidth = 30, kLeastBarWidth = 8;
/// Width of the words before the bar. The constant keeps the bar's width when the words change.
constexpr int kHeadWidth = 66;
constexpr double kBetweenLines_s = 60;

std::string bar(size_t done, size_t total, int width) {
  const size_t full = total == 0 ? 0 : done * static_cast<size_t>(width) / total;
  return std::string(full, '#') + std::string(static_cast<size_t>(width) - full, '.');
}

/// With a fixed number of digits, so that the text after it does not move.
std::string with_digits(double value, int digits) {
  std::string text = fmt::format("{:#.{}g}", value, digits);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string text_of(const Progress& progress) {
  return progress_text(progress.has_ticked ? std::optional(progress.step) : std::nullopt,
                       progress.of, progress.steps_per_s, progress.loss);
}

/// Whether numbers have the loss and the speed.
struct Shown {
  bool loss = true, speed = true;
};

std::string live_numbers(const LiveTrial& trial, Shown shown) {
  Progress progress = trial.progress;
  if (!shown.loss) progress.loss.reset();
  if (!shown.speed) progress.steps_per_s.reset();
  return text_of(progress) + "  " + duration_text(trial.seconds);
}

size_t distinct(const std::vector<std::string>& texts) {
  return std::set<std::string>(texts.begin(), texts.end()).size();
}

/// The titles in at most `columns`, all cut at the place that keeps most of them distinct; of equal
/// places the one nearest to the middle, since stages and seeds are at the ends.
std::vector<std::string> cut_titles(const std::vector<std::string>& titles, int columns) {
  const size_t all = distinct(titles);
  const int kept = columns - 1, middle = kept / 2;
  std::vector<std::string> best;
  for (int shift = 0; shift <= kept - middle; ++shift) {
    for (const int begin : {middle + shift, middle - shift}) {
      if (begin < 0 || begin > kept) continue;
      std::vector<std::string> now;
      for (const std::string& title : titles)
        now.push_back(cut_middle(title, columns, static_cast<size_t>(begin)));
      if (distinct(now) > distinct(best)) best = std::move(now);
      if (distinct(best) == all) return best;
    }
  }
  return best;
}

/// Lines of trials with these numbers, and whether their titles are distinct although they were cut.
std::pair<std::vector<std::string>, bool> lines_with(std::span<const LiveTrial> trials, Shown shown,
                                                     int columns) {
  int title_width = 0, numbers_width = 0;
  std::vector<std::string> whole, lines;
  for (const LiveTrial& trial : trials) {
    whole.push_back("  " + trial.title);
    title_width = std::max(title_width, columns_of(whole.back()));
    numbers_width = std::max(numbers_width, columns_of(live_numbers(trial, shown)));
  }
  title_width = std::min(title_width, std::max(kLeastTitle, columns - numbers_width));
  const std::vector<std::string> titles = cut_titles(whole, title_width);
  for (size_t i = 0; i < trials.size(); ++i) {
    const auto space = static_cast<size_t>(title_width - columns_of(titles[i]));
    lines.push_back(
        cut(titles[i] + std::string(space, ' ') + live_numbers(trials[i], shown), columns));
  }
  return {lines, distinct(titles) == distinct(whole)};
}

/// One line per trial. Titles are shortened in favour of the numbers. Where that makes them alike,
/// the loss gives way, then the speed.
std::vector<std::string> live_lines(std::span<const LiveTrial> trials, int columns) {
  auto [lines, are_distinct] = lines_with(trials, {}, columns);
  for (const Shown less : {Shown{.loss = false}, Shown{.loss = false, .speed = false}}) {
    if (are_distinct) break;
    auto [shorter, are_now] = lines_with(trials, less, columns);
    are_distinct = are_now;
    if (are_now) lines = std::move(shorter);
  }
  return lines;
}

size_t ended_of(const LiveState& state) {
  return state.done + state.failed + state.diverged + state.dropped;
}

size_t total_of(const LiveState& state) {
  return ended_of(state) + state.running + state.waiting;
}

std::string counts_text(const LiveState& state) {
  std::string text = fmt::format("{}/{} done, {} {}", state.done, total_of(state), state.running,
                                 state.stopping ? "stopping" : to_text(TrialState::running));
  if (state.failed > 0) text += fmt::format(", {} {}", state.failed, to_text(TrialState::failed));
  if (state.diverged > 0)
    text += fmt::format(", {} {}", state.diverged, to_text(TrialState::diverged));
  if (state.dropped > 0) text += fmt::format(", {} cancelled or blocked", state.dropped);
  text += fmt::format(", {} waiting, {}", state.waiting, duration_text(state.seconds));
  if (state.eta_s >= 1) {
    text += fmt::format(", {} {} left", state.eta_is_least ? "over" : "about",
                        duration_text(state.eta_s));
  }
  return text;
}

}  // namespace

std::string progress_text(std::optional<int64_t> step, int64_t of,
                          std::optional<double> steps_per_s, std::optional<double> loss) {
  if (!step) return "  starting";
  if (of == 0) return *step == 0 ? "  running" : fmt::format("  step {}", *step);
  std::string text = fmt::format("  {}/{}", *step, of);
  if (steps_per_s) {
    const std::string rate =
        *steps_per_s == 0 ? "evaluating" : with_digits(*steps_per_s, 3) + " step/s";
    text += fmt::format("  {:<11}", rate);
  }
  if (loss) text += "  loss " + with_digits(*loss, 4);
  return text;
}

ScoreOf score_by_schema(const Schema& schema) {
  return [scores = std::make_shared<ReportedScores>(schema)](const Trial& trial) {
    const std::optional<ReportedScore>& score = scores->of(trial.job, trial.config);
    return score ? score->metric : std::string();
  };
}

std::string score_text(const std::string& score, const std::map<std::string, double>& metrics) {
  for (const std::string& name :
       {score, std::string("test/score@last"), std::string("dev/score@last")}) {
    if (const auto metric = metrics.find(name); metric != metrics.end())
      return fmt::format("  {} {:.6g}", name, metric->second);
  }
  return "";
}

void add_counts(const TrialCounts& counts, LiveState& state) {
  const auto count = [&](TrialState one) {
    const auto found = counts.find(one);
    return found == counts.end() ? size_t{0} : static_cast<size_t>(found->second);
  };
  state.done += count(TrialState::done);
  state.running += count(TrialState::running);
  state.waiting += count(TrialState::waiting) + count(TrialState::ready);
  state.failed += count(TrialState::failed);
  state.diverged += count(TrialState::diverged);
  state.dropped += count(TrialState::cancelled) + count(TrialState::blocked);
}

std::vector<std::string> draw(const LiveState& state, int columns, int rows) {
  const size_t ended = ended_of(state), total = total_of(state);
  std::string head = counts_text(state);
  // A line that reaches the last column would wrap on some terminals and be erased wrongly.
  const int width = columns - 1;
  const int bar_width = std::min(kBarWidth, width - kHeadWidth - 3);
  if (bar_width >= kLeastBarWidth) head = "[" + bar(ended, total, bar_width) + "] " + head;
  std::vector<std::string> lines{cut(head, width)};
  const size_t room = static_cast<size_t>(std::max(0, rows - 2));
  const std::span<const LiveTrial> trials(state.trials.data(), std::min(room, state.trials.size()));
  for (std::string& line : live_lines(trials, width)) lines.push_back(std::move(line));
  return lines;
}

std::string minute_line(const LiveState& state) {
  const LiveTrial* newest = nullptr;
  for (const LiveTrial& trial : state.trials) {
    if (!trial.progress.has_ticked) continue;
    if (!newest || trial.newest_s > newest->newest_s) newest = &trial;
  }
  if (!newest) return counts_text(state);
  return fmt::format("{}; {}{}", counts_text(state), newest->title, text_of(newest->progress));
}

ProgressDisplay::Mode ProgressDisplay::mode_for(std::FILE* out, bool quiet) {
  if (quiet) return Mode::none;
  return obeys_escapes(out) ? Mode::live : Mode::lines;
}

void ProgressDisplay::begun(const Board& board) {
  board_ = &board;
  if (mode_ == Mode::live) titles_ = ShortTitles(board.trials());
  begun_s_ = line_s_ = clock_();
  tick();
}

void ProgressDisplay::started(const PlannedTrial& trial, const Placement& placement) {
  running_[trial.trial.id] = {&trial, {}, clock_()};
  if (mode_ != Mode::lines) return;
  line(fmt::format("started   {}  {}{}", trial.trial.id, title_of(trial),
                   placement.gpu ? " on " + *placement.gpu : ""));
}

void ProgressDisplay::adopted(const PlannedTrial& trial) {
  Shown& shown = running_[trial.trial.id] = {&trial, {}, clock_()};
  shown.says_resume = false;
  if (mode_ == Mode::lines) line(fmt::format("adopted   {}  {}", trial.trial.id, title_of(trial)));
}

void ProgressDisplay::progressed(const PlannedTrial& trial, const Progress& progress) {
  const auto found = running_.find(trial.trial.id);
  if (found == running_.end()) return;
  Shown& shown = found->second;
  if (progress.of > 0 && (shown.progress.of == 0 || progress.step != shown.progress.step)) {
    shown.newest_s = clock_();
    shown.newest_steps = progress.step - shown.progress.step;
    if (shown.progress.of == 0) shown.first_step = progress.step, shown.first_s = shown.newest_s;
  }
  shown.progress = progress;
  if (progress.resume_step == 0 || !std::exchange(shown.says_resume, false)) return;
  if (mode_ != Mode::none) {
    const std::string of = progress.of > 0 ? fmt::format(" of {}", progress.of) : "";
    line(fmt::format("goes on   {}  {} from step {}{}", trial.trial.id, title_of(trial),
                     progress.resume_step, of));
  }
}

/// Time of a step since the trial's first report, including evaluations; negative = unknown.
double ProgressDisplay::each_s(const Shown& shown) {
  const int64_t steps = shown.progress.step - shown.first_step;
  if (shown.progress.of == 0 || steps <= 0) return -1;
  return (shown.newest_s - shown.first_s) / static_cast<double>(steps);
}

/// Time left by the trial's own speed; negative = unknown. While a report is overdue, the time left
/// stays as last reported.
double ProgressDisplay::left_s(const Shown& shown, double now_s) {
  const double step_s = each_s(shown);
  if (step_s < 0) return -1;
  const int64_t left = shown.progress.of - shown.progress.step;
  const int64_t at_next_report = std::max<int64_t>(0, left - shown.newest_steps);
  return std::max(step_s * static_cast<double>(at_next_report),
                  step_s * static_cast<double>(left) - (now_s - shown.newest_s));
}

void ProgressDisplay::ended(const PlannedTrial& trial, const EndedAttempt& left, TrialState after,
                            double seconds) {
  running_.erase(trial.trial.id);
  if (is_final(after)) ended_[trial.stage].add(seconds);
  if (mode_ == Mode::none) return;
  for (const std::string& warning : left.warnings) {
    line(fmt::format("warning   {}  {}: {}", trial.trial.id, title_of(trial), warning));
  }
  std::string text = fmt::format("{:<9} {}  {}  {}", to_text(after), trial.trial.id,
                                 title_of(trial), duration_text(seconds));
  if (after == TrialState::done) {
    if (!left.chosen.empty()) text += "  chose " + left.chosen;
    if (mode_ == Mode::live && left.chosen.empty()) return;
    text += score_text(score_of_ ? score_of_(trial.trial) : "", left.metrics);
  } else if (after == TrialState::ready || after == TrialState::waiting) {
    text = fmt::format("{:<9} {}  {}: {}", to_text(left.outcome), trial.trial.id, title_of(trial),
                       left.message);
    if (left.outcome != AttemptOutcome::interrupted) text += "; it is tried again";
  } else if (left.message != to_text(after)) {
    text += ": " + left.message;
  }
  line(text);
}

void ProgressDisplay::notified(const std::string& text) {
  if (mode_ != Mode::none) line("asked     " + text);
}

void ProgressDisplay::limited(const std::string& text) {
  if (mode_ != Mode::none) line("fewer     " + text);
}

void ProgressDisplay::line(const std::string& text) {
  picture_.erase();
  std::fputs((visible_controls(text) + "\n").c_str(), out_);
  tick();
}

std::map<std::string, ProgressDisplay::Mean> ProgressDisplay::paces() const {
  std::map<std::string, Mean> paces = ended_;
  for (const auto& [id, shown] : running_) {
    // By the newest report: a trial that is late would else slow down all trials that wait, too.
    const double left_then_s = left_s(shown, shown.newest_s);
    if (left_then_s >= 0)
      paces[shown.trial->stage].add(shown.newest_s - shown.since_s + left_then_s);
  }
  return paces;
}

void ProgressDisplay::set_eta(LiveState& state) const {
  if (board_->draining()) return;
  const std::map<std::string, Mean> known = paces();
  bool is_any_known = false;
  double work_left_s = 0, longest_s = 0;
  const auto add = [&](const PlannedTrial& trial, double share) {
    const auto pace = known.find(trial.stage);
    const double seconds = pace == known.end()
                               ? board_->expected_s(board_->index_of(trial.trial.id))
                               : pace->second.value();
    if (seconds > 0) {
      is_any_known = true;
    } else {
      state.eta_is_least = true;
    }
    work_left_s += seconds * share;
  };
  const double now_s = clock_();
  for (const auto& [id, shown] : running_) {
    const double trial_left_s = left_s(shown, now_s);
    if (trial_left_s < 0) {
      add(*shown.trial, 0.5);
      continue;
    }
    is_any_known = true;
    work_left_s += trial_left_s;
    longest_s = std::max(longest_s, trial_left_s);
  }
  for (const TrialState waits : {TrialState::waiting, TrialState::ready}) {
    for (const size_t index : board_->in(waits)) add(board_->trial(index), 1.0);
  }
  if (!is_any_known) return;
  const auto workers = static_cast<double>(std::max<size_t>(1, running_.size()));
  state.eta_s = std::max(longest_s, work_left_s / workers);
}

LiveState ProgressDisplay::live_state() const {
  TrialCounts counts = ended_before_;
  for (const TrialState one : kTrialStates) counts[one] += static_cast<int64_t>(board_->count(one));
  LiveState state;
  add_counts(counts, state);
  state.stopping = board_->draining();
  state.seconds = clock_() - begun_s_;
  set_eta(state);
  for (const auto& [id, shown] : running_) {
    const double seconds = clock_() - shown.since_s;
    state.trials.push_back({titles_.of(*shown.trial), shown.progress, seconds, shown.newest_s});
  }
  std::ranges::stable_sort(state.trials, std::ranges::greater(),
                           &LiveTrial::seconds);  // the oldest first
  return state;
}

void ProgressDisplay::tick() {
  if (mode_ == Mode::none || !board_) return;
  if (mode_ == Mode::lines) {
    if (clock_() - line_s_ < kBetweenLines_s) return;
    line_s_ = clock_();
    line("so far    " + minute_line(live_state()));
    std::fflush(out_);
    return;
  }
  const TerminalSize size = size_of_terminal(out_);
  picture_.show(draw(live_state(), size.columns, size.rows));
}

void ProgressDisplay::finished() {
  picture_.erase();
  std::fflush(out_);
}

}  // namespace rethink
