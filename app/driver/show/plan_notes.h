// Notes of `rethink plan`: masks that are dense attention or equal, and stages that nobody reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// A line where a pattern hides no place, so that its arm is dense attention under another name, and
/// one where two patterns of a stage are the same mask. Masks that trials learn are not known yet.
std::vector<std::string> notes_on_masks(const Plan& plan, const Schema& schema);

/// "FILE:3:5: note: ..." for each stage whose job measures nothing and only leaves files, where no
/// other stage of the plan takes them and no table or figure below `paths` shows them. Requires: the
/// plan has all stages of its sweep.
std::vector<std::string> notes_on_unread_stages(const Plan& plan, const Schema& schema,
                                                const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
