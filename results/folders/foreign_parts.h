// Finds links, pipes and folders in place of files in a store's trials/. Writing or removing
// through them would change somebody else's files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Returns the beginning of a message about an unusable file of the store: "PATH is damaged", or
/// "PATH is a named pipe, expected a file,".
std::string damaged_file_text(const std::filesystem::path& file);

/// Returns the sorted names in trials/ that are ids of trials, whatever kind of file they are.
std::vector<std::string> trial_names(const std::filesystem::path& store);

/// Returns a message on the first part of a trial's folder that is a link: "PATH: is a link, ...;
/// what to do"; "" if there is none. Parts are the folder, its attempts, checkpoints and artifacts,
/// and its own files.
std::string linked_part(const std::filesystem::path& trial_folder);

/// Returns the same for parts that are links or of a wrong kind, or that is_unreadable() finds.
std::string foreign_part(const std::filesystem::path& trial_folder);

/// Returns whether this user may not read the trial's folder, its result or its artifacts.
bool is_unreadable(const std::filesystem::path& trial_folder);

/// Returns a message if this user may not read the trial's folder, or a file in it from which rows
/// are made: "PATH: may not be read: ...; what to do"; "" otherwise.
std::string unreadable_part(const std::filesystem::path& trial_folder);

/// Returns foreign_part(), else unreadable_part(), else the same for the trial's lock and
/// artifacts: the obstacle for a command that reads everything.
std::string unusable_part(const std::filesystem::path& trial_folder);

/// Returns the same as foreign_part() for files of attempts, of `checkpoints` and of `artifacts`.
/// Folders that this user may not read are skipped. Requires: foreign_part() is "".
std::string foreign_file(const std::filesystem::path& trial_folder);

/// Returns a message on the first link, pipe, folder, ... in an attempt or in `artifacts` with a
/// name that rethink does not use there: "PATH: is none of rethink's files, ..."; "" if there is
/// none. Requires: as foreign_file().
std::string stray_file(const std::filesystem::path& trial_folder);

/// Returns a message on the first part of a trial's folder that a run must write and this user may
/// not: "PATH: may not be written: ...; what to do"; "" if there is none. Ended attempts are not
/// written.
std::string unwritable_part(const std::filesystem::path& trial_folder);

}  // namespace rethink
