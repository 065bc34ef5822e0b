// Finds sweep names that several YAML files share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace rethink {

/// Returns a note for each plan whose sweep's name is also the name of another YAML file, in
/// the store's record or among the plans. If that file is missing, the note has the command
/// that removes its trials from the record. `store_option` names the store, as given (" --store
/// x").
std::vector<Note> shared_names(const std::vector<Plan>& plans, const std::filesystem::path& store,
                               const std::string& store_option);

}  // namespace rethink
