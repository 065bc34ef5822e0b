// A result.json against the events of its attempts, on which it rests: each event has a checksum, and
// both files say the same metrics and artifacts. A file of version 0.1.0 has no checksum, and of two
// whole files one may be another trial's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/json.h"
#include "core/stored_json.h"

namespace rethink {

/// What the events of a trial's attempts up to one of them say, as its result.json has it.
struct SaidByEvents {
  Json metrics = Json::object();   // "split/name": value at the greatest step
  Json artifacts = Json::array();  // of the last attempt
  Json selected;                   // "labels", "tied", "seeds"; null: it selected nothing
  Json outcome;                    // null: the last attempt did not end
  uint64_t bytes = 0;              // of the last attempt's events
};

/// Rows that a resumed attempt repeats are dropped, as the database does. Cost: reads the events of
/// all attempts up to `last`. Throws MachineError when a file cannot be read.
SaidByEvents said_by_events(const std::filesystem::path& trial_folder, int64_t last);

/// stored_result (core/result_file.h); a result that says something other than its events is damaged.
/// Where the events cannot all be read nothing is compared: not the result is damaged then. Cost and
/// errors: as said_by_events.
std::optional<StoredJson> proved_result(const std::filesystem::path& file);

/// The same only where no checksum shows that the file is as it was written: for readers of a result
/// who need nothing of its events.
std::optional<StoredJson> result_as_written(const std::filesystem::path& file);

}  // namespace rethink
