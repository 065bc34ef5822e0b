// Trials on their way out of a store: renamed first, so that none is ever half there, then emptied,
// which makes room on a full disk, and deleted when the index no longer has them.
#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Takes a trial's folder out of the store's sight. Where somebody deleted it, an empty one says that
/// the index is to forget the trial. Throws MachineError where a folder of its name was set aside
/// before and cannot be deleted.
void set_trial_aside(const std::filesystem::path& store, const std::string& trial);

/// Folders of trials that were set aside, by a command that was killed or by this one.
std::vector<std::filesystem::path> trials_set_aside(const std::filesystem::path& store);

/// The id of the trial whose folder was set aside as `folder`.
std::string trial_set_aside(const std::filesystem::path& folder);

/// What `error`, of a file of the store or of its database, means for a user.
std::string store_error_text(const std::filesystem::path& store, const std::exception& error);

/// Makes the index forget what was removed, and deletes what was set aside. Returns what could not be
/// deleted, as files of another user, each with the command that helps: it is off the record, and the
/// next rm, gc or run tries again. Throws MachineError where the index cannot be changed; its text
/// says what is off the record by then. Requires: this process holds the StoreLock.
std::vector<std::string> finish_removal(const std::filesystem::path& store);

/// The same for what earlier commands set aside and did not delete, because they were killed or not
/// allowed to. Cost: none where there is nothing. Requires: this process holds the StoreLock.
std::vector<std::string> finish_earlier_removals(const std::filesystem::path& store);

}  // namespace rethink
