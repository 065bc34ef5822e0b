// Locks on open file descriptions (F_OFD_SETLK). Such a lock ends with the process, however the process ends. A child
// does not lose the lock when a sibling closes the file. Any process can test whether the lock is held without taking
// it. FolderLock is the lock of a folder in which one process at a time works. probe_locks tells whether a disk's locks
// keep a second process out.
#pragma once

#include <fcntl.h>

#include <filesystem>
#include <optional>
#include <string>

#include "core/files/file.h"

namespace rethink {

/// The disk does not support such locks.
struct LocksUnsupported : MachineError {
  using MachineError::MachineError;
};

/// Returns fcntl's argument for a lock of a whole file or folder. `type` is F_WRLCK, F_RDLCK or
/// F_UNLCK.
struct flock whole_file(short type);

/// An exclusive lock on a whole file. It is held until it is destroyed or the process ends.
class FileLock {
 public:
  /// Takes the lock of an open file at once, or returns nothing if another process has it. The file
  /// must outlive the lock. Throws LocksUnsupported, or as throw_file_error.
  static std::optional<FileLock> try_take(int file, const std::filesystem::path& path);
  /// Takes the lock, and waits for it while another process has it.
  static FileLock wait(int file, const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

/// Returns whether a process holds the lock of the file at `path`; false if the file does not
/// exist, or if something else is in its place (core/files/store_file.h).
bool is_locked(const std::filesystem::path& path);

/// The lock of a store's or a trial's folder. Its file `lock` names the process that holds it. If
/// the disk can lock folders, the folder is locked too, so that removing or replacing the file lets
/// no second process in. The lock is held until it is destroyed or the process ends.
class FolderLock {
 public:
  /// Takes the locks of an existing folder and of its file `lock`, which is made if it is missing.
  /// Returns nothing if another process holds one of them. Throws DamagedFile if something else is
  /// in place of the folder or the file. Throws MachineError if the disk does not support locks on
  /// files.
  static std::optional<FolderLock> try_take(const std::filesystem::path& folder);

  /// Replaces the text of the file `lock`, which tells other processes who holds the lock. Throws
  /// MachineError.
  void sign(const std::string& text);

  /// Returns nothing while the locked folder is at its path. Otherwise returns its new path, or an
  /// empty path if it was removed or cannot be found. A process that continues by path would then
  /// use no folder, or another one.
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

/// Returns whether a process holds the FolderLock of `folder`, or only the lock of its file, as
/// workers of version 0.1.0 do; false if the folder does not exist. Does not take the lock. Throws
/// as is_locked.
bool is_folder_locked(const std::filesystem::path& folder);

/// Returns whether the holder's file `lock` was removed or replaced, so that the present file does
/// not describe the holder. False if no process holds the lock.
bool is_lock_file_lost(const std::filesystem::path& folder);

/// Behaviour of a disk's locks, found by taking one.
enum class LockSupport {
  works,
  keeps_nobody_out,   // the disk grants one lock twice
  refuses_everybody,  // the disk reports a lock as held that no process holds
  unsupported,        // the disk has no locks
  not_tried           // no file can be made in the folder
};

struct LockProbe {
  LockSupport support = LockSupport::works;
  /// Description of the disk: "grants one lock twice", ...; with not_tried "PATH: cannot ..." or
  /// "its disk is full".
  std::string problem{};
};

/// Locks a new file in an existing folder, and removes it. Throws nothing.
LockProbe probe_locks(const std::filesystem::path& folder);

}  // namespace rethink
