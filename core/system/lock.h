// Locks on open file descriptions (F_OFD_SETLK): they end with the process however it ends, a child
// does not lose them when a sibling closes the file, and anybody may ask whether one is held
// without taking it.
#pragma once

#include <fcntl.h>

#include <filesystem>
#include <optional>

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

}  // namespace rethink
