#include "core/system/machine_fault.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/files/owner.h"
#include "core/message.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// The nearest existing folder: a file that could not be made has no disk yet.
fs::path existing_part(fs::path path) {
  path = fs::absolute(path);
  std::error_code ignored;
  while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
  return path;
}

/// The mount point of the disk of `path`, from the kernel's list: "/data (/dev/vdb)".
std::string disk_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return path.string();
  const std::string device = fmt::format("{}:{}", major(status.st_dev), minor(status.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, number, root, mount, word, type, source;
    words >> id >> parent >> number >> root >> mount;
    if (number != device) continue;
    while (words >> word && word != "-") {
    }
    words >> type >> source;
    return fmt::format("{} ({})", mount, source);
  }
  return path.string();
}

std::string how_full(const fs::path& path, int number) {
  const fs::path folder = existing_part(path);
  if (number == EDQUOT)
    return fmt::format("the quota on the disk at {} is used up", disk_of(folder));
  try {
    return text_of_full_disk(disk_of(folder), disk_room(folder));
  } catch (const MachineError&) {
    return "the disk is full";
  }
}

/// " is 1.00 MiB"; "" without a limit.
std::string file_size_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "";
  constexpr rlim_t kMebibyte = 1 << 20;
  if (limit.rlim_cur < kMebibyte) return fmt::format(" is {} bytes", limit.rlim_cur);
  return fmt::format(" is {:.2f} MiB", static_cast<double>(limit.rlim_cur) / kMebibyte);
}

/// "cannot create directories" of "filesystem error: cannot create directories: No space ... [x]".
std::string what_failed(const fs::filesystem_error& error) {
  constexpr std::string_view kBefore = "filesystem error: ";
  std::string text = error.what();
  if (text.starts_with(kBefore)) text.erase(0, kBefore.size());
  return text.substr(0, text.find(": "));
}

/// Libraries wrap the system's text into their own errors.
MachineFault fault_in_text(const std::string& text) {
  for (const int number : {EAGAIN, EMFILE, ENFILE, ENOSPC, EDQUOT, EIO, EROFS}) {
    if (text.find(std::strerror(number)) != std::string::npos) return machine_fault(number);
  }
  return MachineFault::none;
}

}  // namespace

MachineFault machine_fault(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return MachineFault::disk_full;
    case EIO:
    case EROFS:
    case ENXIO:
    case ENODEV:
    case ESTALE:
    case EUCLEAN:
      return MachineFault::disk;
    case EMFILE:
    case ENFILE:
    case EAGAIN:
    case ENOMEM:
      return MachineFault::resources;
    default:
      return MachineFault::none;
  }
}

MachineFault machine_fault(const std::exception& error) {
  if (dynamic_cast<const DiskFullError*>(&error)) return MachineFault::disk_full;
  if (dynamic_cast<const DiskError*>(&error)) return MachineFault::disk;
  if (dynamic_cast<const ResourceError*>(&error)) return MachineFault::resources;
  if (const auto* of_system = dynamic_cast<const std::system_error*>(&error))
    return machine_fault(of_system->code().value());
  const bool is_ours = dynamic_cast<const MachineError*>(&error) ||
                       dynamic_cast<const ConfigError*>(&error) ||
                       dynamic_cast<const TrialError*>(&error);
  return is_ours ? MachineFault::none : fault_in_text(error.what());
}

std::string text_of_resource_error(const std::string& what, int number) {
  if (machine_fault(number) != MachineFault::resources)
    return fmt::format("{}: {}", what, std::strerror(number));
  const bool is_of_files = number == EMFILE || number == ENFILE;
  const char* limit = is_of_files        ? "open files: ulimit -n"
                      : number == ENOMEM ? "memory: ulimit -v, memory.max, or the machine's own"
                                         : "processes and threads: ulimit -u, pids.max";
  return fmt::format("{}: {} (a limit on {})", what, std::strerror(number), limit);
}

void throw_file_error(const fs::path& path, const std::string& what, int number) {
  if (number == ENOSPC || number == EDQUOT) {
    throw DiskFullError("disk-full",
                        fmt::format("{}: {}: {}; free some space and run the same command again",
                                    path.string(), what, how_full(path, number)));
  }
  if (number == EFBIG) {
    throw DiskFullError(
        "disk-full",
        fmt::format("{}: {}: files may not grow so large here (ulimit -f{}); raise the limit and "
                    "run the same command again",
                    path.string(), what, file_size_limit()));
  }
  const std::string text = fmt::format("{}: {}", path.string(), what);
  switch (machine_fault(number)) {
    case MachineFault::resources:
      throw ResourceError("no-resources", text_of_resource_error(text, number));
    case MachineFault::disk:
      throw DiskError("disk-error", fmt::format("{}: {}", text, std::strerror(number)));
    default:
      throw MachineError("file-error", fmt::format("{}: {}{}", text, std::strerror(number),
                                                   refusal_text(path, number)));
  }
}

std::string machine_message(const std::exception& error) {
  if (const auto* of_file = dynamic_cast<const fs::filesystem_error*>(&error)) {
    try {
      throw_file_error(of_file->path1(), what_failed(*of_file), of_file->code().value());
    } catch (const MachineError& ours) {
      return ours.what();
    }
  }
  const auto* of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system && machine_fault(error) == MachineFault::resources)
    return text_of_resource_error("cannot start a thread", of_system->code().value());
  return error.what();
}

std::string advice_on(MachineFault fault, const fs::path& store) {
  switch (fault) {
    case MachineFault::disk_full:
      return fmt::format(
          "make room (`{}` says whether the store has any to give), then give the same command "
          "again",
          store_command("gc --dry-run", store));
    case MachineFault::disk:
      return "look at the disk (`dmesg`, `mount`), then give the same command again";
    case MachineFault::resources:
      return "raise the limit or run fewer at once (--slots), then give the same command again";
    case MachineFault::none:
      break;
  }
  return "";
}

DiskRoom disk_room(const fs::path& path) {
  struct statvfs disk {};
  if (statvfs(existing_part(path).c_str(), &disk) != 0)
    throw_file_error(path, "cannot ask for free space", errno);
  const uint64_t block = disk.f_frsize;
  return {.bytes = disk.f_blocks * block,
          .free_bytes = disk.f_bavail * block,
          .inodes = disk.f_files,
          .free_inodes = disk.f_favail};
}

uint64_t free_disk_bytes(const fs::path& path) {
  return disk_room(path).free_bytes;
}

std::string text_of_full_disk(const std::string& disk, const DiskRoom& room) {
  if (lacks_inodes(room)) {
    return fmt::format(
        "the disk at {} has no free inode for another file (all {} are in use); remove files, even "
        "small ones",
        disk, room.inodes);
  }
  constexpr uint64_t kMuch = 64 << 20;
  return fmt::format(
      "the disk at {} {}: {:.2f} of {:.2f} GiB free{}", disk,
      room.free_bytes < kMuch ? "is full" : "takes no more",
      static_cast<double>(room.free_bytes) / kGibibyte, static_cast<double>(room.bytes) / kGibibyte,
      room.free_bytes < kMuch ? "" : ", so the file is larger, or a quota is used up");
}

}  // namespace rethink
