// Recognizes the small files that Git LFS and git-annex put in the place of large ones: a clone
// without `git lfs pull` or `git annex get` has nothing else.
#pragma once

#include <filesystem>
#include <string_view>

namespace rethink {

/// Throws ConfigError, which names the file, its real size and the command that fetches it, when
/// `bytes`, the file's first 256 or more, are a pointer. Formats: git-lfs, docs/spec.md, and its
/// names before 1.0; git-annex, internals, "pointer files".
void refuse_git_pointer(const std::filesystem::path& file, std::string_view bytes);

/// The same for a file on disk; returns when it cannot be read. Cost: reads at most 256 bytes.
void refuse_git_pointer(const std::filesystem::path& file);

/// Whether a file on disk is a pointer.
bool is_git_pointer(const std::filesystem::path& file);

}  // namespace rethink
