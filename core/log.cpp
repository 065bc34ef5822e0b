#include "core/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>

namespace rethink {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

/// One line is one write, flushed at once: whoever is killed next has said it.
spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> made = [] {
    auto fresh = std::make_shared<spdlog::logger>(
        "rethink", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    fresh->set_pattern("%H:%M:%S.%e %l %v");
    fresh->flush_on(spdlog::level::trace);
    const char* given = std::getenv("RETHINK_LOG");
    const auto level = given ? spdlog::level::from_str(given) : spdlog::level::info;
    // from_str answers "off" for what it does not know, and an error must never go unsaid.
    fresh->set_level(level == spdlog::level::off ? spdlog::level::info : level);
    return fresh;
  }();
  return *made;
}

}  // namespace

void set_log_level(LogLevel level) {
  logger().set_level(level_of(level));
}

void log_debug(const std::string& text) {
  logger().debug(text);
}
void log_info(const std::string& text) {
  logger().info(text);
}
void log_warning(const std::string& text) {
  logger().warn(text);
}
void log_error(const std::string& text) {
  logger().error(text);
}

}  // namespace rethink
