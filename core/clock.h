// Time for measuring and time for people.
#pragma once

#include <time.h>

#include <string>

namespace rethink {

/// Returns seconds of a monotonic clock [s], which stops while the machine sleeps. For rates and
/// waiting.
double monotonic_seconds();

/// The wall clock in UTC, "2026-01-31T12:34:56.789Z". For people only: it may jump.
std::string wall_time();
/// Returns another moment of the same clock in the same form. Texts in this form sort by time.
std::string wall_time(const timespec& moment);
/// Returns whether `text` is a day of the calendar, such as 2026-11-20. Days and results of
/// wall_time() sort together by time.
bool is_day(const std::string& text);

}  // namespace rethink
