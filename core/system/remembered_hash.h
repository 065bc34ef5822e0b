// What follows from the content of files that do not change, remembered between processes: hashing
// 500 MB for each plan or attempt would cost more than a small trial.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace rethink {

/// What `find` says of a file's content, a text of `length` bytes, remembered in `folder` under the
/// ending `what` by the file's path, size, modification time and inode. The folder is safe to
/// delete; when it is empty, or cannot be written, nothing is remembered. Throws MachineError when
/// the file cannot be read.
std::string remembered(const std::filesystem::path& file, const std::filesystem::path& folder,
                       const std::string& what, size_t length,
                       const std::function<std::string()>& find);

/// SHA-256 of a file, remembered.
std::string remembered_sha256(const std::filesystem::path& file,
                              const std::filesystem::path& folder);

}  // namespace rethink
