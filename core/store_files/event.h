// The lines of an attempt's events.jsonl: a line is JSON, a tab, eight hex digits of the JSON's
// CRC-32C, and a newline. Written by experiments/attempt/event_log.h, which lists the events; read
// by results while the file grows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/json_fwd.h"

namespace rethink {

/// A longer line is damage: no event is so long.
constexpr size_t kMostEventBytes = size_t{16} << 20;

/// What an event says; experiments/attempt/event_log.h has the members of each kind.
enum class EventKind {
  metric,
  measurement,
  tick,
  start,
  environment,
  checkpoint,
  artifact,
  selected,
  text,
  image,
  message,
  inexact,
  end,
  other  // of another version
};

/// The word in the member "event". Requires: not `other`.
const char* to_text(EventKind kind);
/// Requires: `event` comes from read_events, which refuses lines without a kind.
EventKind event_kind(const Json& event);

/// Returns one line for `event`, newline included. Bytes that are not UTF-8 are replaced, since a
/// log must not fail on a message. Requires: no NaN or infinity among the numbers. Throws
/// TrialError if the line is longer than a reader accepts.
std::string event_line(const Json& event);

/// Measurements of an attempt that do not concern its training. All attempts of a trial have one
/// row, at step 0, which a resume does not drop.
constexpr const char* kAttemptSeconds = "attempt_s";  // their sum
constexpr std::string_view kPeakPrefix = "peak_";     // their maximum

/// Member of "rests_on" of a start event: true if the events between the checkpoint and the attempt
/// do not count.
constexpr const char* kDropsLater = "drops_later";

/// Returns the step from which an attempt continued, by its start event (0: from the beginning).
/// Returns nothing for an attempt that ended before it knew the step; it leaves no rows.
std::optional<int64_t> resume_step_of(const Json& start);

struct EventRead {
  uint64_t offset = 0;  // after the last complete line taken
  bool damaged =
      false;  // at `offset` is a complete line with a bad CRC, or another trial's start event
};

/// Calls take(event) for each complete line from `offset` on; an unfinished last line waits.
/// Lines from `end` [bytes] on are not taken. Something that is not a file of a store
/// (core/files/store_file.h) is damaged from `offset` on. Throws MachineError if the file cannot be
/// read or is shorter than `offset`. Cost: opens the file once and reads only the bytes after `offset`.
EventRead read_events(const std::filesystem::path& path, uint64_t offset,
                      const std::function<void(const Json&)>& take,
                      uint64_t end = std::numeric_limits<uint64_t>::max());

/// A position in a trial's events: a number of bytes of one attempt's file.
struct EventPlace {
  int64_t attempt = 0;
  uint64_t offset = 0;
};

/// Returns whether every event behind the trial's numbers at `place` can be read: the events before
/// `place` in its attempt, the events before the checkpoint from which that attempt continued (the
/// member "rests_on" of its start event), and so on back to an attempt that started from the
/// beginning. If a position is missing, as in older versions, the whole attempt before counts.
/// `files` are the events of the trial's attempts, by number. Throws MachineError if a file cannot
/// be read.
bool events_are_whole(const std::map<int64_t, std::filesystem::path>& files,
                      std::optional<EventPlace> place);

/// Returns the position of the checkpoint from which an attempt continued, by its start event: no
/// event between this position and the attempt counts. Returns nothing for an attempt that started
/// from the beginning or never began, and for attempts of older versions, which drop exactly the
/// rows above the step from which they continued.
std::optional<EventPlace> resume_place_of(const Json& start);

/// Calls take(event) for the events behind the trial's numbers at the end of attempt `last`, in
/// order. The part of an attempt that a later attempt repeated is left out if resume_place_of says
/// what was repeated. Otherwise the caller drops rows at the start event, by resume_step_of.
/// Returns how many bytes of the last attempt's file were taken. `files` and errors: as events_are_whole; missing and damaged parts are left out. Cost: reads
/// each file up to two times.
uint64_t visit_counted_events(const std::map<int64_t, std::filesystem::path>& files, int64_t last,
                              const std::function<void(const Json&)>& take);
/// The same for the numbers at `place`.
uint64_t visit_counted_events(const std::map<int64_t, std::filesystem::path>& files,
                              const EventPlace& place,
                              const std::function<void(const Json&)>& take);

}  // namespace rethink
