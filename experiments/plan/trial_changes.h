// What makes a trial this trial beside its job and its options.
#pragma once

#include "core/json_fwd.h"
#include "experiments/attempt/trial.h"

namespace rethink {

/// Seed, needs (the ids of a slot in one text), imported weights, data and revisions, under the names
/// by which `diff` and `plan` report them: {"seed": 0, "needs": {"init": "ID"}, "revision": {...}}.
/// What a trial does not have is left out.
Json identity_parts(const Trial& trial);

}  // namespace rethink
