// The format of result.json, which the attempt that ended a trial writes
// (experiments/attempt/run_attempt.cpp) and everybody reads:
//
//   {"trial": id, "seed": 0 or null, "outcome": "done" or "diverged", "attempt": n,
//    "events": bytes of its events.jsonl, "metrics": {"dev/score": 0.5} at the greatest step,
//    "artifacts": [{"name", "kind", "file": relative to the trial's folder, "sha256", "bytes",
//                   "facts", "seed"}], "checksum": "0a1b2c3d"}
//
// and what the job adds: "directions", "weights_sha256", "began_fresh", "selected". A name stands
// once for each seed among the artifacts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/format/stored_json.h"

namespace rethink {

/// A result.json or old_result.json; nothing where there is none. Throws MachineError when it
/// cannot be read.
std::optional<StoredJson> stored_result(const std::filesystem::path& file);

/// What a sound one says; nothing where there is none, and where it is damaged: such a trial has no
/// result.
std::optional<Json> sound_result(const std::filesystem::path& file);

/// Of a sound result of a select: the trials whose results and files count as its own. Where it chose
/// a trial for each of several seeds, those of `seed`; no seed: all.
std::vector<std::string> winners(const Json& result, const std::optional<int64_t>& seed);

/// "PATH is damaged (what is wrong); what helps", of a result.json.
std::string result_damage(const std::filesystem::path& file, const std::string& damage);

}  // namespace rethink
