// Trials on their way out of a store: renamed first, so that none is ever half there, and deleted
// when the index no longer has them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Takes a trial's folder out of the store's sight. Does nothing when it is gone already.
void set_trial_aside(const std::filesystem::path& store, const std::string& trial);

/// Folders of trials that were set aside, by a command that was killed or by this one.
std::vector<std::filesystem::path> trials_set_aside(const std::filesystem::path& store);

/// Makes the index forget what was removed, and deletes what was set aside. Requires: this process
/// holds the StoreLock.
void finish_removal(const std::filesystem::path& store);

}  // namespace rethink
