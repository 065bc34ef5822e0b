// Finds sweep names that several YAML files share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace rethink {

/// For each plan whose sweep's name another YAML file has too, be it on record in the store or
/// among the plans, a sentence that says so; where that file is missing, with the command that takes
/// its trials off the record. `store_option` names the store, as it was given (" --store x").
std::vector<std::string> shared_names(const std::vector<Plan>& plans,
                                      const std::filesystem::path& store,
                                      const std::string& store_option);

}  // namespace rethink
