// The format of result.json. The attempt that ended a trial writes the file
// (experiments/attempt/run_attempt.cpp):
//
//   {"trial": id, "seed": 0 or null, "outcome": "done" or "diverged", "attempt": n,
//    "events": bytes of its events.jsonl, "metrics": {"dev/score": 0.5} at the greatest step,
//    "artifacts": [{"name", "kind", "file": relative to the trial's folder, "sha256", "bytes",
//                   "facts", "seed"}], "checksum": "0a1b2c3d"}
//
// and what the job adds: "directions", "weights_sha256", "began_fresh", "selected". Among the
// artifacts, a name appears once for each seed.
//
// A result is proved by the events of its attempts and by its trial.json. Each event has a checksum. The events have
// the same metrics and artifacts; trial.json has the same seed and candidates. A file of version 0.1.0 has no checksum,
// and an undamaged file may be another trial's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/trial_state.h"

namespace rethink {

/// Returns a result.json or old_result.json; nothing if it is missing. Throws MachineError if it
/// cannot be read.
std::optional<StoredJson> stored_result(const std::filesystem::path& file);

/// Returns the contents of a sound file; nothing if the file is missing or damaged, since such a
/// trial has no result.
std::optional<Json> sound_result(const std::filesystem::path& file);

/// How the trial ended: done or diverged. Requires: a sound result.
AttemptOutcome outcome_of_result(const Json& result);

/// Returns the trials whose results and files count as a select's own, from its sound result. If it
/// chose a trial for each of several seeds, `seed` selects one; no seed: all.
std::vector<std::string> winners(const Json& result, const std::optional<int64_t>& seed);

/// Returns "PATH is damaged (what is wrong); what helps" for a result.json.
std::string result_damage(const std::filesystem::path& file, const std::string& damage);

/// Statements of the events of a trial's attempts, up to one attempt, in the form of its
/// result.json.
struct EventSummary {
  Json metrics = Json::object();   // "split/name": value at the greatest step
  Json artifacts = Json::array();  // of the last attempt
  Json selected;                   // "labels", "tied", "seeds"; null: it selected nothing
  Json outcome;                    // null: the last attempt did not end
  uint64_t bytes = 0;              // of the last attempt's events
};

/// Rows that a resumed attempt repeats are dropped, as the database does. Cost: reads the events of
/// all attempts up to `last`. Throws MachineError when a file cannot be read.
EventSummary summarize_events(const std::filesystem::path& trial_folder, int64_t last);

/// Returns the members of a sound result that its events or its trial.json contradict: "metrics:
/// not what its events say". Returns "" if there are none, and if events or trial.json cannot be
/// read, since the result is then not the damaged part. Cost and errors: as summarize_events.
std::string contradiction_of(const StoredJson& result, const std::filesystem::path& trial_folder);

/// Returns stored_result, as damaged if it has a contradiction.
std::optional<StoredJson> proved_result(const std::filesystem::path& file);

/// Returns the same, but looks for contradictions only if the file has no checksum, for readers
/// that need no events.
std::optional<StoredJson> result_as_written(const std::filesystem::path& file);

}  // namespace rethink
