// The lock of a folder that one process at a time works in: of a store and of a trial. Its file
// `lock` says which process that is. The folder itself is locked as well, where the disk can lock
// folders, so that removing or replacing the file lets no second process in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/system/file.h"
#include "core/system/lock.h"

namespace rethink {

/// Held until it is destroyed or the process ends, however it ends.
class FolderLock {
 public:
  /// Takes the locks of an existing folder and of its file `lock`, which is made where there is
  /// none; returns nothing when another process holds one of them. Throws DamagedFile when
  /// something else is in the place of the folder or of the file, MachineError when the disk does
  /// not support locks on files.
  static std::optional<FolderLock> try_take(const std::filesystem::path& folder);

  /// Replaces the text of the file `lock`, for those who ask who holds it. Throws MachineError.
  void sign(const std::string& text);

  /// Nothing while the locked folder is at its path. Else where it was moved to; an empty path where
  /// it was removed, or cannot be found. Whoever works on by path then works on no folder, or on
  /// another one.
  std::optional<std::filesystem::path> moved_to() const;

 private:
  FolderLock(std::filesystem::path path, FileDescriptor folder, FileDescriptor file, FileLock lock)
      : path_(std::move(path)),
        folder_(std::move(folder)),
        file_(std::move(file)),
        lock_(std::move(lock)) {}
  std::filesystem::path path_;  // of the file
  FileDescriptor folder_;
  FileDescriptor file_;  // before the lock: must outlive it
  FileLock lock_;
};

/// Whether some process holds the FolderLock of `folder`, or only the lock of its file, as workers
/// of version 0.1.0 do; false when there is no such folder. Takes nothing. Throws as is_locked.
bool is_folder_locked(const std::filesystem::path& folder);

/// Whether the holder's file `lock` was removed or replaced: what is there now says nothing of the
/// holder. False when nobody holds the lock.
bool is_lock_file_lost(const std::filesystem::path& folder);

}  // namespace rethink
