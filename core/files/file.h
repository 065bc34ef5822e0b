// Files that are either whole and on disk or not there: write a temporary file, fsync it, rename
// it, fsync the folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/machine_fault.h"

namespace rethink {

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

/// Writes all of `bytes`, across short writes and interruptions. `path` is the name in messages.
/// Throws as throw_file_error.
void write_all(int file, std::string_view bytes, const std::filesystem::path& path);

/// Returns the contents of the file. Throws MachineError if it cannot be read, and if a pipe or
/// device has more than 1 GiB.
std::string read_file(const std::filesystem::path& path);

/// Throws as throw_file_error. Durable: the file's bytes, or the folder's entries.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);
/// Flushes the disk that holds `path`. Durable: everything written to this disk before. Cost: one
/// flush, however many files are new.
void sync_disk(const std::filesystem::path& path);

/// A file that gets its name only when it is complete. Call finish, rename_to_final, and a sync of
/// its folder in this order, with a kill point between any two. A file without its final name is
/// removed again.
class PendingFile {
 public:
  /// The temporary file is beside `path`, as ".NAME.PID.tmp".
  explicit PendingFile(std::filesystem::path path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  /// Durable: the bytes of the temporary file, whoever wrote them; they have no name yet.
  void finish();
  void rename_to_final();
  /// Writes a file atomically. Durable: either the whole new file or the old file. Leaves no
  /// temporary file. Throws as throw_file_error.
  void publish();

 private:
  std::filesystem::path path_, temporary_;
  bool renamed_ = false;
};

/// Durable: the whole file under its name, or the old one untouched. Throws as throw_file_error; no
/// temporary file stays behind.
void write_file_durably(const std::filesystem::path& path, std::string_view bytes);

/// Writes a file without durability: readers never see a part of it, but a power cut may lose it.
/// For files that users name: it follows symbolic links and keeps the file's permissions. A pipe or
/// a device is written to, never replaced.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Makes `path` and what is missing above it. Durable: all of them.
void make_folder_durably(const std::filesystem::path& path);

/// Returns `path` from the root, without "..", and without links in its existing part: two names of
/// a file become one.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// Returns the temporary files of PendingFile in `folder`, not below it; none without the folder. A
/// living writer may own some of them.
std::vector<std::filesystem::path> temporary_files(const std::filesystem::path& folder);
/// Removes what PendingFile left in `folder` (not below it) when its process was killed; returns
/// how many. Requires: no other process writes there.
size_t remove_temporary_files(const std::filesystem::path& folder);

}  // namespace rethink
