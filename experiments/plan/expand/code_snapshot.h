// Snapshot of the files of a user's program at planning time. Their content is part of the trials'
// identity, and a run keeps a copy in the store.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/attempt/command/folder_copy.h"

namespace rethink {

struct CodeSnapshot {
  std::string sha256;  // equals sha256_of_tree of the copy
  std::filesystem::path folder;
  std::map<std::string, std::filesystem::path> files;  // by path below the sweep's folder
  std::set<std::string> hidden_variables{};  // variables whose values must not enter the store
};

/// Returns the files below `folder` that match one of `patterns` (`*` and `?` within a name, `**`
/// for any folders). Without patterns these are the code and lock files that Git lists. Files that
/// Git ignores and files in a store are left out. `hash_of` returns the hash of a file, perhaps
/// from a cache. Throws ConfigError
/// - without patterns outside of a Git repository;
/// - for a pattern without a file, a link out of the folder, and a pointer of Git LFS;
/// - for a file that may contain secrets, unless a pattern is its exact name;
/// - for more than 5,000 files or 50 MB, with the largest files.
CodeSnapshot code_snapshot(const std::filesystem::path& folder,
                           const std::vector<std::string>& patterns,
                           const FileHash& hash_of = sha256_file);

/// Returns the folder of the snapshot in a store: "STORE/code/<sha256>".
std::filesystem::path code_folder(const std::filesystem::path& store, const std::string& sha256);

/// Copies the snapshot to this folder, once. A link within the program's folder stays a link if the
/// snapshot also has the files behind it; other links become these files. In a Git repository it also writes the commit and the
/// differences from it ("STORE/code/<sha256>.diff", at most 1 MB). Durable when it returns. Throws
/// ConfigError if a file has changed since planning, and MachineError.
void keep_code(const CodeSnapshot& code, const std::filesystem::path& store);

/// Returns how `code` differs from a snapshot in a store: "train.py changed, new: model.py,
/// removed: old.py"; "" if the store lacks that snapshot.
std::string changes_of_code(const CodeSnapshot& code, const std::filesystem::path& kept);

/// Returns the root of the Git repository of `folder`, or `folder` itself outside of a repository.
std::filesystem::path checkout_of(const std::filesystem::path& folder);

/// Returns whether `path` matches `pattern`, by the rules of code_snapshot.
bool matches_pattern(const std::string& path, const std::string& pattern);

}  // namespace rethink
