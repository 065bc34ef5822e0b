// The lines of an attempt's events.jsonl: a line is JSON, a tab, eight hex digits of the JSON's
// CRC-32C, and a newline. Written by experiments/attempt/event_log.h, which lists the events; read
// by results while the file grows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/json_fwd.h"

namespace rethink {

/// A longer line is damage: no event is so long.
constexpr size_t kMostEventBytes = size_t{16} << 20;

/// One line for `event`, newline included. Bytes that are not UTF-8 are replaced: a log must not
/// fail on a message. Requires: no NaN or infinity among the numbers. Throws TrialError when it
/// would be longer than a reader takes.
std::string event_line(const Json& event);

/// Measurements of an attempt itself, which say nothing of its training: of all attempts of a trial
/// one row, at step 0, which no resumption drops.
constexpr const char* kAttemptSeconds = "attempt_s";  // their sum
constexpr std::string_view kPeakPrefix = "peak_";     // their maximum

/// The step from which an attempt went on by its start event (0: from the beginning): rows of the
/// trial above it come again. None for an attempt that ended before it knew: nothing comes again
/// from it, and nothing rests on it.
std::optional<int64_t> resume_step_of(const Json& start);

struct EventRead {
  uint64_t offset = 0;  // after the last complete line taken
  bool damaged =
      false;  // a complete line with a bad CRC stands at `offset`, or another trial's start event
};

/// Calls take(event) for each complete line from `offset` on; an unfinished last line waits. What is
/// no file of a store (core/system/store_file.h) is damaged from `offset` on. Throws MachineError when the
/// file cannot be read or is shorter than `offset`. Cost: opens the file once
/// and reads only what is behind `offset`.
EventRead read_events(const std::filesystem::path& path, uint64_t offset,
                      const std::function<void(const Json&)>& take);

/// A place in a trial's events: so many bytes of one attempt's file.
struct EventPlace {
  int64_t attempt = 0;
  uint64_t offset = 0;
};

/// Whether every event can be read on which the trial's numbers at `place` rest: those before it in
/// its attempt, those before the checkpoint from which that attempt went on (the member "rests_on"
/// of its start event), and so back to an attempt that started from the beginning. Without a place,
/// of `place` or of an attempt that went on (older versions wrote none): the whole of the attempt
/// before. `files`: the events of the trial's attempts, by number. Throws MachineError when a file
/// cannot be read.
bool events_are_whole(const std::map<int64_t, std::filesystem::path>& files,
                      std::optional<EventPlace> place);

}  // namespace rethink
