// Notes of `rethink plan` on stages whose files no stage, table or figure uses.
#pragma once

#include <filesystem>
#include <vector>

#include "core/config/note.h"
#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Returns a note for each stage whose job measures nothing and only leaves files, if no other
/// stage of the plan uses them and no table or figure below `paths` shows them. Requires: the plan
/// has all stages of its sweep.
std::vector<Note> notes_on_unused_stages(const Plan& plan, const Schema& schema,
                                         const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
