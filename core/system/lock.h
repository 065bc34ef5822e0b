// Locks on open file descriptions (F_OFD_SETLK): they end with the process however it ends, a child
// does not lose them when a sibling closes the file, and anybody may ask whether one is held
// without taking it. FolderLock: the lock of a folder that one process at a time works in; probe_locks:
// whether a disk's locks keep a second process out.
#pragma once

#include <fcntl.h>

#include <filesystem>
#include <optional>
#include <string>

#include "core/system/file.h"

namespace rethink {

/// The disk does not support such locks.
struct LocksUnsupported : MachineError {
  using MachineError::MachineError;
};

/// What fcntl is told of the whole of a file or folder; `type` is F_WRLCK, F_RDLCK or F_UNLCK.
struct flock whole_file(short type);

/// An exclusive lock on a whole file. Held until it is destroyed or the process ends.
class FileLock {
 public:
  /// Takes the lock of an open file at once, or returns nothing when somebody else has it. The file
  /// must outlive the lock. Throws LocksUnsupported, or as throw_file_error.
  static std::optional<FileLock> try_take(int file, const std::filesystem::path& path);
  /// Waits for it.
  static FileLock wait(int file, const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

/// Whether some process holds the lock of the file at `path`; false when there is no such file, or
/// something else in its place (core/system/store_file.h).
/// Takes nothing. Throws LocksUnsupported, or as throw_file_error.
bool is_locked(const std::filesystem::path& path);

/// The lock of a store's or a trial's folder. Its file `lock` says which process has it. The folder
/// itself is locked as well, where the disk can lock folders, so that removing or replacing the file
/// lets no second process in. Held until it is destroyed or the process ends, however it ends.
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

/// What the locks of a disk do, found out by taking one.
enum class LockSupport {
  works,
  keeps_nobody_out,   // the disk grants one lock twice
  refuses_everybody,  // the disk says that somebody has a lock that nobody has
  unsupported,        // the disk has no locks
  not_tried           // no file can be made in the folder
};

struct LockProbe {
  LockSupport support = LockSupport::works;
  /// Said of the disk: "grants one lock twice", ...; of not_tried "PATH: cannot ..." or "its disk is full".
  std::string problem{};
};

/// Locks a file of its own in an existing folder, and removes it. Throws nothing.
LockProbe probe_locks(const std::filesystem::path& folder);

}  // namespace rethink
