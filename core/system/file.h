// Files that are either whole and on disk or not there: write a temporary file, fsync it, rename
// it, fsync the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace rethink {

/// The disk has no room left, or a limit on file sizes is reached. Attempts that end by it are
/// never charged; the driver drains and exits 3.
struct DiskFullError : MachineError {
  using MachineError::MachineError;
};

/// The disk fails (EIO) or is mounted for reading only (EROFS). Attempts that end by it are never
/// charged; when it happens again, the driver drains and exits 3.
struct DiskError : MachineError {
  using MachineError::MachineError;
};

/// The system lends no more processes, threads or open files. Attempts that end by it are never
/// charged; the driver runs fewer at once.
struct ResourceError : MachineError {
  using MachineError::MachineError;
};

/// "WHAT: system's text" and, of EAGAIN, ENOMEM, EMFILE and ENFILE, the limit that is meant.
std::string text_of_resource_error(const std::string& what, int number);

/// Throws what `number` (errno) means for `what` ("cannot write"): DiskFullError with the disk and
/// how full it is for ENOSPC and EDQUOT, with the limit for EFBIG; DiskError, ResourceError or else
/// MachineError "PATH: WHAT: system's text" (core/system/machine_fault.h tells them apart).
[[noreturn]] void throw_file_error(const std::filesystem::path& path, const std::string& what,
                                   int number);

/// An open descriptor that is closed with its owner; always close-on-exec.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { reset(); }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release();
  void reset();

 private:
  int number_ = -1;
};

/// open(2) with O_CLOEXEC and mode 0666. Throws as throw_file_error.
FileDescriptor open_file(const std::filesystem::path& path, int flags);

/// All of `bytes`, across short writes and interruptions. `path` stands in messages. Throws as
/// throw_file_error.
void write_all(int file, std::string_view bytes, const std::filesystem::path& path);

/// Everything in the file. Throws MachineError when it cannot be read, and where a pipe or a device
/// has more than 1 GiB.
std::string read_file(const std::filesystem::path& path);

/// Throws as throw_file_error. Durable: the file's bytes, or the folder's entries.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);
/// Durable: everything written before to the disk that holds `path`. Cost: one flush, however many
/// files are new.
void sync_disk(const std::filesystem::path& path);

/// A file that takes its name only when it is complete. Call finish, rename_to_final, sync its
/// folder in this order, with a kill point between any two; what is not renamed is removed again.
class PendingFile {
 public:
  /// The temporary file stands beside `path`, as ".NAME.PID.tmp".
  explicit PendingFile(std::filesystem::path path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  /// Durable: the bytes of the temporary file, whoever wrote them; they have no name yet.
  void finish();
  void rename_to_final();
  /// Durable: the whole file under its name.
  void publish();

 private:
  std::filesystem::path path_, temporary_;
  bool renamed_ = false;
};

/// Durable: the whole file under its name, or the old one untouched. Throws as throw_file_error; no
/// temporary file stays behind.
void write_file_durably(const std::filesystem::path& path, std::string_view bytes);

/// The same without durability: readers never see half a file, a power cut may lose it. For files
/// that users name: where a symbolic link leads, with the permissions that the file has; a pipe or
/// a device is written to, never replaced.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Makes `path` and what is missing above it. Durable: all of them.
void make_folder_durably(const std::filesystem::path& path);

/// `path` from the root, without "..", and without links as far as it exists: two names of one file
/// become one.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// What PendingFile left in `folder`, not below it; none where there is no folder. Some may be a
/// writer's that is alive.
std::vector<std::filesystem::path> temporary_files(const std::filesystem::path& folder);
/// Removes what PendingFile left in `folder` (not below it) when its process was killed; returns
/// how many. Requires: no other process writes there.
size_t remove_temporary_files(const std::filesystem::path& folder);

/// Bytes that we may still write on the disk that holds `path`.
uint64_t free_disk_bytes(const std::filesystem::path& path);

}  // namespace rethink
