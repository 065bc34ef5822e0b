// Recognizes pointer files of Git LFS: a clone without `git lfs pull` has three lines of text in the
// place of each large file.
#pragma once

#include <filesystem>
#include <string_view>

namespace rethink {

/// Throws ConfigError, which names the file, its real size and the command that fetches it, when
/// `bytes`, the file's first 200 or more, are a pointer. Format: git-lfs, docs/spec.md.
void refuse_git_lfs_pointer(const std::filesystem::path& file, std::string_view bytes);

/// The same for a file on disk; returns when it cannot be read. Cost: reads at most 200 bytes.
void refuse_git_lfs_pointer(const std::filesystem::path& file);

/// Whether a file on disk is a pointer.
bool is_git_lfs_pointer(const std::filesystem::path& file);

}  // namespace rethink
