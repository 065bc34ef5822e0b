#include "core/system/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string_view>

#include "core/files/file.h"
#include "core/text.h"

namespace rethink {
namespace {

constexpr std::array<std::string_view, 4> kLevelNames = {"debug", "info", "warning", "error"};

/// The level that RETHINK_LOG names; info for an unknown word, so that errors are always logged.
LogLevel first_level() {
  const char* given = std::getenv("RETHINK_LOG");
  for (size_t i = 0; given && i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == given) return static_cast<LogLevel>(i);
  }
  return LogLevel::info;
}

std::atomic<LogLevel>& lowest_level() {
  static std::atomic<LogLevel> level = first_level();
  return level;
}

/// A line is written by one call of write(2), unless the system accepts only a part. So lines of up
/// to 4 KiB of several threads and processes do not mix in a pipe, and a line that was logged
/// before a kill is kept.
void log_line(LogLevel level, const std::string& text) {
  if (level < lowest_level()) return;
  const auto now = std::chrono::system_clock::now();
  const auto since_epoch =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm local{};
  localtime_r(&seconds, &local);
  const std::string line = fmt::format(
      "{:02}:{:02}:{:02}.{:03} {} {}\n", local.tm_hour, local.tm_min, local.tm_sec,
      since_epoch.count() % 1000, kLevelNames[static_cast<size_t>(level)], visible_controls(text));
  try {
    write_all(STDERR_FILENO, line, "standard error");
  } catch (const std::exception&) {  // there is no place to report this
  }
}

}  // namespace

void set_log_level(LogLevel level) {
  lowest_level() = level;
}

void log_info(const std::string& text) {
  log_line(LogLevel::info, text);
}
void log_warning(const std::string& text) {
  log_line(LogLevel::warning, text);
}
void log_error(const std::string& text) {
  log_line(LogLevel::error, text);
}

}  // namespace rethink
