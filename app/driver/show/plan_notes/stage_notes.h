// Notes of `rethink plan` on stages: files that nothing uses, and masks that are dense attention or equal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "core/config/problems.h"
#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Returns the position of the stage in its sweep's file; the file alone if a preset brings the stage.
Position stage_position(const std::filesystem::path& file, const std::string& stage);

/// Returns a note for each stage whose job measures nothing and only leaves files, if no other
/// stage of the plan uses them and no table or figure below `paths` shows them. Requires: the plan
/// has all stages of its sweep.
std::vector<Note> notes_on_unused_stages(const Plan& plan, const Schema& schema,
                                         const std::vector<std::filesystem::path>& paths);

/// Returns a note if a pattern hides no cell, so that its arm is dense attention under another
/// name, and a note if two patterns of a stage are equal masks. Learned masks are unknown here.
std::vector<Note> notes_on_masks(const Plan& plan, const Schema& schema);

}  // namespace rethink
