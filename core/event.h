// The lines of an attempt's events.jsonl: a line is JSON, a tab, eight hex digits of the JSON's
// CRC-32C, and a newline. Written by experiments/attempt/event_log.h, which lists the events; read
// by results while the file grows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/json.h"

namespace rethink {

/// One line for `event`, newline included. Bytes that are not UTF-8 are replaced: a log must not
/// fail on a message. Requires: no NaN or infinity among the numbers.
std::string event_line(const Json& event);

struct EventRead {
  uint64_t offset = 0;   // after the last complete line taken
  bool damaged = false;  // a complete line with a bad CRC stands at `offset`
};

/// Calls take(event) for each complete line from `offset` on; an unfinished last line waits. Throws
/// MachineError when the file cannot be read or is shorter than `offset`. Cost: opens the file once
/// and reads only what is behind `offset`.
EventRead read_events(const std::filesystem::path& path, uint64_t offset,
                      const std::function<void(const Json&)>& take);

}  // namespace rethink
