// Faults of the machine: a full disk, a disk that fails, exhausted processes, files or memory; their
// errors and messages.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

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

enum class MachineFault { none, disk_full, disk, resources };

/// Of an errno: ENOSPC, EDQUOT and EFBIG are disk_full; EIO, EROFS and their like disk; EMFILE,
/// ENFILE, EAGAIN and ENOMEM resources: of a call that failed, where a program that used up its own
/// memory gets std::bad_alloc.
MachineFault machine_fault(int number);
/// Of what was thrown, by us, by std::filesystem, by std::thread or, by its text, by a library.
MachineFault machine_fault(const std::exception& error);

/// The message of `error` for people: what std::filesystem and std::thread throw in the form of
/// throw_file_error ("PATH: cannot create directory: the disk at ... is full"), others as they are.
std::string machine_message(const std::exception& error);

/// "WHAT: system's text" and, of EAGAIN, ENOMEM, EMFILE and ENFILE, the limit that is meant.
std::string text_of_resource_error(const std::string& what, int number);

/// Throws what `number` (errno) means for `what` ("cannot write"): DiskFullError with the disk and
/// how full it is for ENOSPC and EDQUOT, with the limit for EFBIG; DiskError, ResourceError or else
/// MachineError "PATH: WHAT: system's text" (machine_fault tells them apart).
[[noreturn]] void throw_file_error(const std::filesystem::path& path, const std::string& what,
                                   int number);

/// What to do about it, for the end of a run: "make room (...), then give the same command again".
/// `store`: as --store named it.
std::string advice_on(MachineFault fault, const std::filesystem::path& store);

/// How full a disk is.
struct DiskRoom {
  uint64_t bytes = 0, free_bytes = 0;    // free: for us
  uint64_t inodes = 0, free_inodes = 0;  // 0 inodes: the file system does not count them
};

/// Of the disk that holds `path` or would. Throws as throw_file_error.
DiskRoom disk_room(const std::filesystem::path& path);

/// Bytes that we may still write on the disk that holds `path`.
uint64_t free_disk_bytes(const std::filesystem::path& path);

/// Whether no file can be made there, however small.
inline bool lacks_inodes(const DiskRoom& room) {
  return room.inodes > 0 && room.free_inodes == 0;
}

/// "the disk at / (/dev/vdb) is full: 0.00 of 9.00 GiB free", that it takes no more though some is
/// free, or that no inode is left. `disk`: where it is mounted.
std::string text_of_full_disk(const std::string& disk, const DiskRoom& room);

}  // namespace rethink
