// A result.json against the events of its attempts, on which it rests, and against its trial.json:
// each event has a checksum, and both files say the same metrics and artifacts; seed and candidates
// are the trial's. A file of version 0.1.0 has no checksum, and of two whole files one may be another
// trial's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/format/stored_json.h"
#include "core/json.h"

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

/// Members of a sound result that its events or its trial.json contradict: "metrics: not what its
/// events say"; "" where none, or these cannot be read: not the result is damaged then. Cost and
/// errors: as said_by_events.
std::string contradiction_of(const StoredJson& result, const std::filesystem::path& trial_folder);

/// stored_result (core/format/result_file.h); one with a contradiction is damaged.
std::optional<StoredJson> proved_result(const std::filesystem::path& file);

/// The same only where no checksum shows that the file is as it was written: for readers of a result
/// who need nothing of its events.
std::optional<StoredJson> result_as_written(const std::filesystem::path& file);

}  // namespace rethink
