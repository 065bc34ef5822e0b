// What the machine cannot do, told apart by what follows: a full disk, a disk that fails, and a
// system that lends no more processes, threads, open files or memory.
#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/error.h"

namespace rethink {

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

/// What to do about it, for the end of a run: "make room (...), then give the same command again".
/// `store`: as --store named it.
std::string advice_on(MachineFault fault, const std::filesystem::path& store);

}  // namespace rethink
