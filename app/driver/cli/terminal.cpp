#include "app/driver/cli/terminal.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "app/driver/command.h"
#include "core/message.h"
#include "core/text.h"
#include "plots/text_format.h"

namespace rethink {

TerminalOutput::TerminalOutput()
    : out_(std::cout.rdbuf()), error_(std::cerr.rdbuf()), shown_out_(out_), shown_error_(error_) {
  std::cout.rdbuf(&shown_out_);
  std::cerr.rdbuf(&shown_error_);
}

void TerminalOutput::pass_data() {
  if (isatty(STDOUT_FILENO)) return;
  std::cout.flush();
  std::cout.rdbuf(out_);
}

TerminalOutput::~TerminalOutput() {
  std::cout.flush();
  std::cerr.flush();
  std::cout.rdbuf(out_);
  std::cerr.rdbuf(error_);
}

bool TerminalOutput::Buffer::write_out() {
  const std::string shown = visible_controls(text_);
  text_.clear();
  const auto length = static_cast<std::streamsize>(shown.size());
  return to_->sputn(shown.data(), length) == length;
}

std::streambuf::int_type TerminalOutput::Buffer::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  text_ += traits_type::to_char_type(byte);
  return byte != '\n' || write_out() ? byte : traits_type::eof();
}

int TerminalOutput::Buffer::sync() {
  return write_out() && to_->pubsync() == 0 ? 0 : -1;
}

bool obeys_escapes(std::FILE* out) {
  const char* const terminal = std::getenv("TERM");
  return isatty(fileno(out)) && terminal && *terminal && std::strcmp(terminal, "dumb") != 0;
}

TerminalSize size_of_terminal(std::FILE* out) {
  winsize size{};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_col, size.ws_row};
}

int columns_of_terminal(std::FILE* out) {
  return size_of_terminal(out).columns;
}

int columns_of(const std::string& text) {
  return static_cast<int>(width_of(text));
}

std::string cut(const std::string& text, int columns) {
  if (columns_of(text) <= columns) return text;
  return text.substr(0, bytes_within(text, static_cast<size_t>(std::max(1, columns) - 1))) +
         "\u2026";
}

std::string cut_middle(const std::string& text, int columns, std::optional<size_t> begin) {
  const auto width = width_of(text), most = static_cast<size_t>(std::max(1, columns));
  if (width <= most) return text;
  const size_t kept = most - 1, before = std::min(begin.value_or(kept / 2), kept);
  const std::string first = text.substr(0, bytes_within(text, before));
  // Keeps as much of the end as fits; a letter of two columns may not fit.
  size_t skipped = bytes_within(text, width - (kept - before));
  while (width_of(first) + width_of(text.substr(skipped)) > kept)
    skipped += std::max<size_t>(1, bytes_within(text.substr(skipped), 2));
  return first + "\u2026" + text.substr(skipped);
}

void Picture::show(std::vector<std::string> lines) {
  const TerminalSize size = size_of_terminal(out_);
  const size_t most = static_cast<size_t>(std::max(size.rows, 3)) - 1;
  if (lines.size() > most) {
    const size_t left_out = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back("... and " + counted(left_out, "more line"));
  }
  // One write for the whole picture, in which each line is cleared as it is overwritten, avoids
  // flicker.
  std::string text;
  if (lines_ > 0) text += fmt::format("\r\x1b[{}A", lines_);
  for (const std::string& line : lines)
    text += cut(visible_controls(line), size.columns - 1) + "\x1b[K\n";
  text += "\x1b[J";
  lines_ = lines.size();
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void Picture::erase() {
  if (lines_ == 0) return;
  std::fputs(fmt::format("\r\x1b[{}A\x1b[J", lines_).c_str(), out_);
  lines_ = 0;
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", std::max(0.0, seconds));
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<int64_t>(std::lround(seconds / 60));
  if (minutes < 60) return fmt::format("{} min", minutes);
  if (minutes < int64_t{48} * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string rough_duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  constexpr double kDay = 86400, kYear = 365 * kDay;
  if (seconds < 7 * kDay) return fmt::format("{:.1f} h", seconds / 3600);
  if (seconds < 2 * kYear) return fmt::format("{:.0f} days", seconds / kDay);
  return fmt::format("{:.0f} years", seconds / kYear);
}

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6)
                     : fmt::format("{:.1f} GB", bytes / 1e9);
}

namespace {

std::atomic<int> signals_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler increments it

std::string exit_message;  // a signal handler writes it

}  // namespace

void report_too_large_files() {
  signal(SIGXFSZ, SIG_IGN);
}

SignalHandlers::SignalHandlers(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (number == SIGHUP && before.sa_handler == SIG_IGN) continue;
    sigaction(number, &action, nullptr);
    before_.emplace_back(number, before);
  }
}

SignalHandlers::~SignalHandlers() {
  for (const auto& [number, before] : before_) sigaction(number, &before, nullptr);
}

SignalCounter::SignalCounter() : SignalHandlers([](int) { signals_seen++; }) {
  signal(SIGPIPE, SIG_IGN);
}

const std::atomic<int>& SignalCounter::seen() const {
  return signals_seen;
}

namespace {

/// The words are set before the handler that writes them.
auto handler_that_prints(const std::string& words) {
  exit_message = words;
  return [](int) {
    [[maybe_unused]] const ssize_t written =
        write(STDERR_FILENO, exit_message.data(), exit_message.size());
    _exit(kInterrupted);
  };
}

}  // namespace

InterruptMessage::InterruptMessage(const std::string& words)
    : SignalHandlers(handler_that_prints(words)) {}

}  // namespace rethink
