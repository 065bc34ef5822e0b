// Deletes folders that were set aside (trials_in_transit.h) once the index no longer has them.
// Empties them first, which frees space on a full disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Removes rows of removed trials from the index, and deletes folders that were set aside. Returns
/// what could not be deleted, such as files of another user, each with the command that helps. The
/// index no longer has these trials, and the next rm, gc or run tries to delete them again. Throws
/// MachineError if the index cannot be changed; its text lists the trials that were already removed
/// from the index. Requires: this process holds the StoreLock.
std::vector<std::string> finish_removal(const std::filesystem::path& store);

/// Does the same for folders that earlier commands set aside and did not delete, since they were
/// killed or not allowed to. Cost: nothing without such folders. Requires: this process holds the
/// StoreLock.
std::vector<std::string> finish_earlier_removals(const std::filesystem::path& store);

}  // namespace rethink
