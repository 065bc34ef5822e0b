// Notes of `rethink plan` on masks that are dense attention or equal.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// A line where a pattern hides no place, so that its arm is dense attention under another name, and
/// one where two patterns of a stage are the same mask. Masks that trials learn are not known yet.
std::vector<std::string> notes_on_masks(const Plan& plan, const Schema& schema);

}  // namespace rethink
