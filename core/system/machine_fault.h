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

/// The disk has no room left, or a limit on file sizes is reached. Attempts that end by this fault
/// are never charged; the driver drains and exits with 3.
struct DiskFullError : MachineError {
  using MachineError::MachineError;
};

/// The disk fails (EIO) or is mounted read-only (EROFS). Attempts that end by this fault are never
/// charged. If it repeats, the driver drains and exits with 3.
struct DiskError : MachineError {
  using MachineError::MachineError;
};

/// The system grants no more processes, threads or open files. Attempts that end by this fault are
/// never charged; the driver runs fewer attempts at once.
struct ResourceError : MachineError {
  using MachineError::MachineError;
};

enum class MachineFault { none, disk_full, disk, resources };

/// Returns the fault of an errno: disk_full for ENOSPC, EDQUOT and EFBIG; disk for EIO, EROFS and
/// the like; resources for EMFILE, ENFILE, EAGAIN and ENOMEM. For failed calls: a program that used
/// up its own memory gets std::bad_alloc.
MachineFault machine_fault(int number);
/// Returns the fault of an exception from our code, std::filesystem, std::thread or, by its text,
/// from a library.
MachineFault machine_fault(const std::exception& error);

/// The message of `error` for people: what std::filesystem and std::thread throw in the form of
/// throw_file_error ("PATH: cannot create directory: the disk at ... is full"), others as they are.
std::string machine_message(const std::exception& error);

/// Returns "WHAT: system's text" and, for EAGAIN, ENOMEM, EMFILE and ENFILE, the limit that was reached.
std::string text_of_resource_error(const std::string& what, int number);

/// Throws the exception for `number` (errno) of the action `what` ("cannot write"): DiskFullError
/// for ENOSPC and EDQUOT, with the disk and its free space, and for EFBIG, with the limit;
/// otherwise DiskError, ResourceError or MachineError "PATH: WHAT: system's text". machine_fault
/// distinguishes them.
[[noreturn]] void throw_file_error(const std::filesystem::path& path, const std::string& what,
                                   int number);

/// Returns what to do, for the end of a run: "make room (...), then give the same command again".
/// `store` is the name in --store.
std::string advice_on(MachineFault fault, const std::filesystem::path& store);

/// How full a disk is.
struct DiskRoom {
  uint64_t bytes = 0, free_bytes = 0;    // free: for us
  uint64_t inodes = 0, free_inodes = 0;  // 0 inodes: the file system does not count them
};

/// Returns the space of the disk that holds `path`, or that would hold it. Throws as
/// throw_file_error.
DiskRoom disk_room(const std::filesystem::path& path);

/// Returns the bytes that we may still write to the disk that holds `path`.
uint64_t free_disk_bytes(const std::filesystem::path& path);

/// Whether no file can be made there, however small.
inline bool lacks_inodes(const DiskRoom& room) {
  return room.inodes > 0 && room.free_inodes == 0;
}

/// Returns "the disk at / (/dev/vdb) is full: 0.00 of 9.00 GiB free", or says that it accepts no
/// more although some is free, or that no inode is left. `disk` is its mount point.
std::string text_of_full_disk(const std::string& disk, const DiskRoom& room);

}  // namespace rethink
