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
/// Another moment of the same clock, written alike: so written, moments sort by time.
std::string wall_time(const timespec& moment);
/// Whether `text` is a day of the calendar, written as 2026-11-20: with what wall_time() writes it sorts by
/// time.
bool is_day(const std::string& text);

}  // namespace rethink
