// The differences between two trials: options, and the other parts of a trial's identity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "experiments/attempt/trial.h"

namespace rethink {

/// One value that differs between two configurations; null where one has no such key.
struct Change {
  std::string key;
  std::optional<Json> before, after;
};
std::vector<Change> changes_between(const Json& before, const Json& after);
/// "1e-04 -> 3e-04", "nothing" for a key that there is not.
std::string values_of(const Change& change);
/// "optimizer.lr 1e-04 -> 3e-04, steps 10 -> 20 and 3 more"
std::string text_of(const std::vector<Change>& changes, size_t shown);

/// Seed, needs (the ids of a slot in one text), imported weights, data and revisions, under the names
/// by which `diff` and `plan` report them: {"seed": 0, "needs": {"init": "ID"}, "revision": {...}}.
/// What a trial does not have is left out.
Json identity_parts(const Trial& trial);

}  // namespace rethink
