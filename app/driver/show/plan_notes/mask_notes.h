// Notes of `rethink plan` on masks that are dense attention or equal.
#pragma once

#include <vector>

#include "core/config/note.h"
#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Returns a note if a pattern hides no cell, so that its arm is dense attention under another
/// name, and a note if two patterns of a stage are equal masks. Learned masks are unknown here.
std::vector<Note> notes_on_masks(const Plan& plan, const Schema& schema);

}  // namespace rethink
