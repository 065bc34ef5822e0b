// The differences between two trials: options, and the other parts of a trial's identity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "experiments/attempt/trial.h"

namespace rethink {

/// A value that differs between two configurations; null if a configuration lacks the key.
struct Change {
  std::string key;
  std::optional<Json> before, after;
};
std::vector<Change> changes_between(const Json& before, const Json& after);
/// Returns "1e-04 -> 3e-04"; a missing key is "nothing".
std::string values_of(const Change& change);
/// Returns "optimizer.lr 1e-04 -> 3e-04, steps 10 -> 20 and 3 more".
std::string text_of(const std::vector<Change>& changes, size_t shown);

/// Returns seed, needs (the ids of a slot in one text), imported weights, data and revisions, by
/// the names in `diff` and `plan`: {"seed": 0, "needs": {"init": "ID"}, "contents of data.path": "SHA-256",
/// "revision": {...}}. Missing parts are left out.
Json identity_parts(const Trial& trial);

}  // namespace rethink
