// Trials that are done in the database and whose folders have no attempt any more.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Before these trials run again, and their rows go: keeps a copy of the database, and says which
/// trials they are (`titles`) and that their disk may only not be mounted. Nothing without titles.
/// Throws MachineError.
void keep_numbers_of_vanished(const std::filesystem::path& store,
                              const std::vector<std::string>& titles);

}  // namespace rethink
