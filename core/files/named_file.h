// Checks that a file named by a user exists and is the file itself: not a dangling link (git
// annex), and not a pointer of Git LFS or git-annex.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rethink {

/// Returns whether the name exists; a name above the system's length limit does not. Throws
/// std::filesystem_error if this user may not read the folder.
bool is_there(const std::filesystem::path& path);
bool is_file_there(const std::filesystem::path& path);
/// Returns whether a regular file exists; false if this user may not read the folder.
bool is_regular_file_there(const std::filesystem::path& path);
/// Returns whether `path` can be read as a file: a file, a pipe or a device, but not a folder.
bool is_readable_there(const std::filesystem::path& path);
/// Returns whether the name certainly does not exist. False if this user may not read the folder,
/// since another user's file may be there.
bool is_surely_missing(const std::filesystem::path& path);

/// Returns a message on a symbolic link to a missing file, as git-annex leaves it in a clone before
/// `git annex get`: "PATH: is a link to X, which does not exist; ..." with what to do. PATH is
/// `path` or the first folder above it that is such a link. Returns "" if there is none.
std::string trouble_of_dangling_link(const std::filesystem::path& path);

/// Throws this message as a ConfigError.
void refuse_dangling_link(const std::filesystem::path& path);

// Pointers are small files that Git LFS and git-annex put in place of large files. A clone without
// `git lfs pull` or `git annex get` has only pointers.

/// Throws ConfigError, which names the file, its real size and the command that fetches it, when
/// `bytes`, the file's first 256 or more, are a pointer. Formats: the specification of git-lfs, and
/// its names before 1.0; git-annex, internals, "pointer files".
void refuse_git_pointer(const std::filesystem::path& file, std::string_view bytes);

/// Does the same for a file on disk. Returns if it cannot be read. Cost: reads at most 256 bytes.
void refuse_git_pointer(const std::filesystem::path& file);

/// Whether a file on disk is a pointer.
bool is_git_pointer(const std::filesystem::path& file);

}  // namespace rethink
