// Copies and hashes folders that a program may still be writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/error.h"
#include "core/files/hash.h"

namespace rethink {

using FileHash = std::function<std::string(const std::filesystem::path&)>;

/// Returns the SHA-256 of all files below `folder`, or of one file: of their names, their bytes, and whether they may
/// be executed. Links are followed. `hash_of` returns the hash of one file, perhaps from a cache. Throws MachineError.
std::string sha256_of_tree(const std::filesystem::path& folder,
                           const FileHash& hash_of = sha256_file);
/// Returns the same for files with these names.
std::string sha256_of_files(const std::map<std::string, std::filesystem::path>& files,
                            const FileHash& hash_of = sha256_file);

/// Error for a file that changed during the copy.
struct ChangedMeanwhile : TrialError {
  using TrialError::TrialError;
};

/// Copies a folder or a file to `target`, which must not exist. Empty folders, links that lead to
/// nothing and relative links within the folder stay as they are; other links are replaced by their
/// content. Not durable. Throws ChangedMeanwhile if a file's size or time changed meanwhile, and
/// MachineError (disk full). `target` is then removed.
void copy_tree(const std::filesystem::path& source, const std::filesystem::path& target);

/// Throws DiskFullError, with the sizes, if the files of `source` have more bytes than are free on
/// the disk of `folder`.
void require_room(const std::filesystem::path& source, const std::filesystem::path& folder);

/// Returns whether `inner` is below `outer` after resolving all links; false if one does not exist.
bool lies_below(const std::filesystem::path& inner, const std::filesystem::path& outer);

}  // namespace rethink
