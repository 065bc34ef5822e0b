// The files of a user's program at planning time: their content is part of the trials' identity,
// and a run keeps them in the store.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/attempt/command/folder_copy.h"

namespace rethink {

struct CodeSnapshot {
  std::string sha256;  // as sha256_of_tree of the copy
  std::filesystem::path folder;
  std::map<std::string, std::filesystem::path> files;  // by their path below the sweep's folder
  std::set<std::string> hidden_variables{};            // whose values the store shall not have
};

/// The files below `folder` that one of `patterns` matches (`*` and `?` within a name, `**` any folders); by
/// none the code and lock files among Git's. What Git ignores is left out, and what lies in a store. Throws ConfigError
/// without patterns where Git does not know the folder, for a pattern without a file, a link that leads out, a pointer of Git
/// LFS, a file that may hold secrets and is not named itself, and more than 5,000 files or 50 MB, with the
/// largest. `hash_of`: of one file, which may be remembered.
CodeSnapshot code_snapshot(const std::filesystem::path& folder,
                           const std::vector<std::string>& patterns,
                           const FileHash& hash_of = sha256_file);

/// Where a run keeps it: "STORE/code/<sha256>".
std::filesystem::path code_folder(const std::filesystem::path& store, const std::string& sha256);

/// Puts it there, once, with Git's commit and what differs from it beside it ("STORE/code/<sha256>.diff", at most 1
/// MB) where Git knows the folder. Durable when it returns. Throws ConfigError where a file has changed since it was planned,
/// and MachineError.
void keep_code(const CodeSnapshot& code, const std::filesystem::path& store);

/// "train.py changed, new: model.py, gone: old.py": what `code` has otherwise than the one that a store keeps; "" where
/// the store does not have that one.
std::string changes_of_code(const CodeSnapshot& code, const std::filesystem::path& kept);

/// The folder with Git's `.git` that `folder` lies in; `folder` itself where there is none.
std::filesystem::path checkout_of(const std::filesystem::path& folder);

/// Whether `path` is of `pattern`, as above.
bool matches_pattern(const std::string& path, const std::string& pattern);

}  // namespace rethink
