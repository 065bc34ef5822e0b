// Deletes folders that were set aside (trials_in_transit.h) once the index no longer has them.
// Empties them first, which frees space on a full disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Makes the index forget what was removed, and deletes what was set aside. Returns what could not be
/// deleted, as files of another user, each with the command that helps: it is off the record, and the
/// next rm, gc or run tries again. Throws MachineError where the index cannot be changed; its text
/// says what is off the record by then. Requires: this process holds the StoreLock.
std::vector<std::string> finish_removal(const std::filesystem::path& store);

/// The same for what earlier commands set aside and did not delete, because they were killed or not
/// allowed to. Cost: none where there is nothing. Requires: this process holds the StoreLock.
std::vector<std::string> finish_earlier_removals(const std::filesystem::path& store);

}  // namespace rethink
