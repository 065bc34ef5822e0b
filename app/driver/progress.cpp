#include "app/driver/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/clock.h"

namespace rethink {
namespace {

constexpr int kBarWidth = 30, kLeastBarWidth = 8;

int width_of(const std::string& text) {
  return static_cast<int>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

/// The byte at which character `number` begins, from 0.
size_t place_of(const std::string& text, int number) {
  for (size_t index = 0; index < text.size(); ++index) {
    const bool starts_character = (static_cast<unsigned char>(text[index]) & 0xC0) != 0x80;
    if (starts_character && number-- == 0) return index;
  }
  return text.size();
}

/// Cut to `columns` characters, UTF-8 sequences kept whole; an ellipsis says so.
std::string cut(const std::string& text, int columns) {
  if (width_of(text) <= columns) return text;
  return text.substr(0, place_of(text, std::max(1, columns) - 1)) + "\u2026";
}

std::string bar(size_t done, size_t total, int width) {
  const size_t full = total == 0 ? 0 : done * static_cast<size_t>(width) / total;
  return std::string(full, '#') + std::string(static_cast<size_t>(width) - full, '.');
}

std::string numbers_of(const LiveTrial& trial) {
  std::string text;
  const Progress& progress = trial.progress;
  if (progress.of > 0) text += fmt::format("  {}/{}", progress.step, progress.of);
  if (progress.steps_per_s) text += fmt::format("  {:.3g} step/s", *progress.steps_per_s);
  if (progress.loss) text += fmt::format("  loss {:.4g}", *progress.loss);
  return text + "  " + duration_text(trial.seconds);
}

/// The title gives way to the numbers; its end tells seeds apart.
std::string line_of(const LiveTrial& trial, int columns) {
  constexpr int kLeastTitle = 12;
  const std::string numbers = numbers_of(trial);
  return cut(
      cut_middle("  " + trial.title, std::max(kLeastTitle, columns - width_of(numbers))) + numbers,
      columns);
}

winsize size_of_terminal(std::FILE* out) {
  winsize size{};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    size.ws_col = 80, size.ws_row = 24;
  return size;
}

}  // namespace

int columns_of_terminal(std::FILE* out) {
  return size_of_terminal(out).ws_col;
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", std::max(0.0, seconds));
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<int64_t>(std::lround(seconds / 60));
  if (minutes < 60) return fmt::format("{} min", minutes);
  if (minutes < 48 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string cut_middle(const std::string& text, int columns) {
  const int width = width_of(text);
  if (width <= columns) return text;
  const int kept = std::max(1, columns) - 1;
  return text.substr(0, place_of(text, kept / 2)) + "\u2026" +
         text.substr(place_of(text, width - (kept - kept / 2)));
}

std::vector<std::string> draw(const LiveState& state, int columns, int rows) {
  const size_t ended = state.done + state.failed + state.dropped;
  const size_t total = ended + state.running + state.waiting;
  std::string head = fmt::format("{}/{} done, {} running", state.done, total, state.running);
  if (state.failed > 0) head += fmt::format(", {} failed", state.failed);
  if (state.dropped > 0) head += fmt::format(", {} cancelled or blocked", state.dropped);
  head += fmt::format(", {} waiting, {}", state.waiting, duration_text(state.seconds));
  if (state.eta_s >= 0) head += ", about " + duration_text(state.eta_s) + " left";
  // A line in the last column would wrap on some terminals, and then be erased wrongly.
  const int width = columns - 1;
  const int bar_width = std::min(kBarWidth, width - width_of(head) - 3);
  if (bar_width >= kLeastBarWidth) head = "[" + bar(ended, total, bar_width) + "] " + head;
  std::vector<std::string> lines{cut(head, width)};
  for (const LiveTrial& trial : state.trials) {
    if (static_cast<int>(lines.size()) + 1 >= rows) break;
    lines.push_back(line_of(trial, width));
  }
  return lines;
}

ProgressDisplay::Mode ProgressDisplay::mode_for(std::FILE* out, bool quiet) {
  if (quiet) return Mode::none;
  return isatty(fileno(out)) ? Mode::live : Mode::lines;
}

void ProgressDisplay::begun(const Board& board) {
  board_ = &board;
  begun_s_ = monotonic_seconds();
}

void ProgressDisplay::started(const ScheduledTrial& trial, const Placement& placement) {
  running_[trial.board.id] = {trial.title, {}, monotonic_seconds()};
  if (mode_ != Mode::lines) return;
  line(fmt::format("started   {}  {}{}", trial.board.id, trial.title,
                   placement.gpu ? " on " + *placement.gpu : ""));
}

void ProgressDisplay::adopted(const ScheduledTrial& trial) {
  running_[trial.board.id] = {trial.title, {}, monotonic_seconds()};
  if (mode_ == Mode::lines) line(fmt::format("adopted   {}  {}", trial.board.id, trial.title));
}

void ProgressDisplay::progressed(const ScheduledTrial& trial, const Progress& progress) {
  const auto shown = running_.find(trial.board.id);
  if (shown != running_.end()) shown->second.progress = progress;
}

void ProgressDisplay::ended(const ScheduledTrial& trial, const Left& left, State after,
                            double seconds) {
  running_.erase(trial.board.id);
  if (is_final(after)) work_s_ += seconds, ended_++;
  if (mode_ == Mode::none) return;
  for (const std::string& warning : left.warnings) {
    line(fmt::format("warning   {}  {}: {}", trial.board.id, trial.title, warning));
  }
  std::string text = fmt::format("{:<9} {}  {}  {}", to_text(after), trial.board.id, trial.title,
                                 duration_text(seconds));
  if (after == State::done) {
    if (mode_ == Mode::live) return;
    if (left.score) text += fmt::format("  {} score {:.6g}", left.score_split, *left.score);
  } else if (after == State::ready || after == State::waiting) {
    text = fmt::format("{:<9} {}  {}: {}", to_text(left.outcome), trial.board.id, trial.title,
                       left.message);
    if (left.outcome != AttemptOutcome::interrupted) text += "; it will go on";
  } else if (left.message != to_text(after)) {
    text += ": " + left.message;
  }
  line(text);
}

void ProgressDisplay::line(const std::string& text) {
  erase();
  std::fputs((text + "\n").c_str(), out_);
  tick();
}

void ProgressDisplay::erase() {
  if (lines_drawn_ == 0) return;
  std::fputs(fmt::format("\r\x1b[{}A\x1b[J", lines_drawn_).c_str(), out_);
  lines_drawn_ = 0;
}

double ProgressDisplay::eta_s() const {
  if (board_->draining()) return -1;
  const double now_s = monotonic_seconds();
  std::vector<double> left_s;  // of running trials that say so
  double sum_s = work_s_;
  for (const auto& [id, shown] : running_) {
    const Progress& progress = shown.progress;
    if (!progress.steps_per_s || *progress.steps_per_s <= 0) continue;
    left_s.push_back(static_cast<double>(progress.of - progress.step) / *progress.steps_per_s);
    sum_s += now_s - shown.since_s + left_s.back();
  }
  const size_t known = ended_ + left_s.size();
  if (known == 0) return -1;
  const double each_s = sum_s / static_cast<double>(known);
  const size_t unknown = running_.size() - left_s.size();
  const size_t waiting = board_->count(State::waiting) + board_->count(State::ready);
  const double work_left_s = std::accumulate(left_s.begin(), left_s.end(), 0.0) +
                             each_s * static_cast<double>(waiting) +
                             each_s / 2 * static_cast<double>(unknown);
  const double longest_s = left_s.empty() ? 0 : *std::max_element(left_s.begin(), left_s.end());
  return std::max(longest_s,
                  work_left_s / static_cast<double>(std::max<size_t>(1, running_.size())));
}

LiveState ProgressDisplay::live_state() const {
  LiveState state;
  state.done = board_->count(State::done);
  state.running = board_->count(State::running);
  state.waiting = board_->count(State::waiting) + board_->count(State::ready);
  state.failed = board_->count(State::failed) + board_->count(State::diverged);
  state.dropped = board_->count(State::cancelled) + board_->count(State::blocked);
  state.seconds = monotonic_seconds() - begun_s_;
  state.eta_s = eta_s();
  for (const auto& [id, shown] : running_) {
    state.trials.push_back({shown.title, shown.progress, monotonic_seconds() - shown.since_s});
  }
  std::ranges::stable_sort(state.trials, std::ranges::greater(),
                           &LiveTrial::seconds);  // the oldest first
  return state;
}

void ProgressDisplay::tick() {
  if (mode_ != Mode::live) return;
  const winsize size = size_of_terminal(out_);
  const std::vector<std::string> lines = draw(live_state(), size.ws_col, size.ws_row);
  // One write for the whole picture, each line cleared as it is overwritten: nothing flickers.
  std::string picture;
  if (lines_drawn_ > 0) picture += fmt::format("\r\x1b[{}A", lines_drawn_);
  for (const std::string& text : lines) picture += text + "\x1b[K\n";
  picture += "\x1b[J";
  lines_drawn_ = lines.size();
  std::fputs(picture.c_str(), out_);
  std::fflush(out_);
}

void ProgressDisplay::finished() {
  erase();
  std::fflush(out_);
}

}  // namespace rethink
