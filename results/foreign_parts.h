// What in a store's trials/ is not as rethink made it: a link, a pipe or a folder instead of a file.
// Writing or removing through it would change somebody else's files.
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

/// The same of parts that are links or of another kind than they must be, or whose folder this user
/// may not read.
std::string foreign_part(const std::filesystem::path& trial_folder);

/// The same of what is in the attempts, `checkpoints` and `artifacts`, where rethink makes files only.
/// Requires: foreign_part() is "".
std::string foreign_file(const std::filesystem::path& trial_folder);

/// The first part of a trial's folder that a run has to write and this user may not: "PATH: may not
/// be written: ...; what to do"; "" if there is none. Attempts that have ended need no writing.
std::string unwritable_part(const std::filesystem::path& trial_folder);

}  // namespace rethink
