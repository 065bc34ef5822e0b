// Finds links, pipes and folders in place of files in a store's trials/. Writing or removing
// through them would change somebody else's files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// How a message about a file of the store that cannot be used begins: "PATH is damaged", or, where
/// something else is in its place, "PATH is a named pipe, expected a file,".
std::string damaged_file_text(const std::filesystem::path& file);

/// Names in trials/ that are a trial's id, whatever stands there; sorted.
std::vector<std::string> trial_names(const std::filesystem::path& store);

/// The first part of a trial's folder that is a link: "PATH: is a link, ...; what to do"; "" if none
/// is. Parts are the folder itself, its attempts, checkpoints and artifacts, and its own files.
std::string linked_part(const std::filesystem::path& trial_folder);

/// The same of parts that are links or of another kind than they must be, and where is_unreadable().
std::string foreign_part(const std::filesystem::path& trial_folder);

/// Whether this user may not read the trial's folder, its result or its artifacts.
bool is_unreadable(const std::filesystem::path& trial_folder);

/// The trial's folder or the first file in it from which rows are made, where this user may not read it:
/// "PATH: may not be read: ...; what to do"; "" if there is none.
std::string unreadable_part(const std::filesystem::path& trial_folder);

/// foreign_part(), else unreadable_part(), else the same of the trial's lock and artifacts: what keeps a command
/// that looks at everything from it.
std::string unusable_part(const std::filesystem::path& trial_folder);

/// The same as foreign_part() of what is in the place of a file of an attempt, of `checkpoints` or of `artifacts`.
/// Folders that this user may not read are passed over. Requires: the trial's own is none.
std::string foreign_file(const std::filesystem::path& trial_folder);

/// The first link, pipe, folder, ... in an attempt or in `artifacts` with a name that rethink does not use there:
/// "PATH: is none of rethink's files, ..."; "" if there is none. Requires: as foreign_file().
std::string stray_file(const std::filesystem::path& trial_folder);

/// The first part of a trial's folder that a run has to write and this user may not: "PATH: may not
/// be written: ...; what to do"; "" if there is none. Attempts that have ended need no writing.
std::string unwritable_part(const std::filesystem::path& trial_folder);

}  // namespace rethink
