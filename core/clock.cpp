#include "core/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace rethink {

double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string wall_time() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return wall_time(now);
}

std::string wall_time(const timespec& moment) {
  tm parts{};
  gmtime_r(&moment.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     moment.tv_nsec / 1'000'000);
}

bool is_day(const std::string& text) {
  const std::string form = "dddd-dd-dd";
  const bool is_written_so =
      text.size() == form.size() &&
      std::equal(text.begin(), text.end(), form.begin(), [](char c, char wanted) {
        return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
      });
  if (!is_written_so) return false;
  const std::chrono::year_month_day day{
      std::chrono::year(std::stoi(text.substr(0, 4))),
      std::chrono::month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
      std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(8, 2))))};
  return day.ok();
}

}  // namespace rethink
