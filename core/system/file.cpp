#include "core/system/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "core/system/dangling_link.h"
#include "core/system/disk_room.h"
#include "core/system/git_pointer.h"
#include "core/system/kill_point.h"
#include "core/system/machine_fault.h"
#include "core/system/owner.h"
#include "core/system/piped_bytes.h"
#include "core/system/store_file.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// The nearest folder that exists: a file that could not be made has no disk of its own.
fs::path existing_part(fs::path path) {
  path = fs::absolute(path);
  std::error_code ignored;
  while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
  return path;
}

/// Where the disk of `path` is mounted, from the kernel's list: "/data (/dev/vdb)".
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

/// " is 1.00 MiB"; "" when there is none.
std::string file_size_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "";
  constexpr rlim_t kMebibyte = 1 << 20;
  if (limit.rlim_cur < kMebibyte) return fmt::format(" is {} bytes", limit.rlim_cur);
  return fmt::format(" is {:.2f} MiB", static_cast<double>(limit.rlim_cur) / kMebibyte);
}

void sync_path(const fs::path& path, int flags) {
  const FileDescriptor file = open_file(path, flags);
  if (fsync(file.get()) != 0) throw_file_error(path, "cannot sync", errno);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

constexpr const char* kTemporaryEnding = ".tmp";

/// Errors name the file that was asked for, not the temporary one.
void fill(const PendingFile& pending, const fs::path& path, std::string_view bytes) {
  const FileDescriptor file(
      open(pending.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  // The folder refuses it, whatever a file of that name allows.
  if (!file && errno == EACCES) {
    throw MachineError(fmt::format("{}: cannot create: {}{}", path.string(), std::strerror(EACCES),
                                   refusal_text(pending.temporary(), EACCES)));
  }
  if (!file) throw_file_error(path, "cannot create", errno);
  write_all(file.get(), bytes, path);
}

}  // namespace

std::string text_of_full_disk(const std::string& disk, const DiskRoom& room) {
  if (lacks_inodes(room)) {
    return fmt::format(
        "the disk at {} has no inode left for another file: its {} are in use; "
        "remove files, however small",
        disk, room.inodes);
  }
  constexpr uint64_t kMuch = 64 << 20;
  return fmt::format(
      "the disk at {} {}: {:.2f} of {:.2f} GiB free{}", disk,
      room.free_bytes < kMuch ? "is full" : "takes no more",
      static_cast<double>(room.free_bytes) / kGibibyte, static_cast<double>(room.bytes) / kGibibyte,
      room.free_bytes < kMuch ? "" : ", so the file is larger, or a quota is used up");
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
    throw DiskFullError(fmt::format("{}: {}: {}; free some space and run the same command again",
                                    path.string(), what, how_full(path, number)));
  }
  if (number == EFBIG) {
    throw DiskFullError(
        fmt::format("{}: {}: files may not grow so large here (ulimit -f{}); raise the limit and "
                    "run the same command again",
                    path.string(), what, file_size_limit()));
  }
  const std::string text = fmt::format("{}: {}", path.string(), what);
  switch (machine_fault(number)) {
    case MachineFault::resources:
      throw ResourceError(text_of_resource_error(text, number));
    case MachineFault::disk:
      throw DiskError(fmt::format("{}: {}", text, std::strerror(number)));
    default:
      throw MachineError(
          fmt::format("{}: {}{}", text, std::strerror(number), refusal_text(path, number)));
  }
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

int FileDescriptor::release() {
  return std::exchange(number_, -1);
}

void FileDescriptor::reset() {
  if (number_ >= 0) close(release());
}

FileDescriptor open_file(const fs::path& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (file < 0 && errno == ENOENT) {
    const std::string trouble = trouble_of_dangling_link(path);
    if (!trouble.empty()) throw MachineError(trouble);
    errno = ENOENT;
  }
  if (file < 0) throw_file_error(path, (flags & O_CREAT) ? "cannot create" : "cannot open", errno);
  return FileDescriptor(file);
}

void write_all(int file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_file_error(path, "cannot write", errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

std::string read_file(const fs::path& path) {
  if (std::optional<std::string> again = piped_bytes(path)) return *std::move(again);
  const FileDescriptor file =
      is_below_a_trial(path) ? open_store_file(path, O_RDONLY) : open_file(path, O_RDONLY);
  constexpr uint64_t kMostOfAStream = uint64_t{1} << 30;  // /dev/zero has no end
  struct stat status {};
  if (fstat(file.get(), &status) != 0) throw_file_error(path, "cannot read", errno);
  const bool has_end = S_ISREG(status.st_mode);
  const uint64_t most = has_end ? std::numeric_limits<uint64_t>::max() - 1 : kMostOfAStream;
  std::string bytes = read_rest(file.get(), path, most);
  if (bytes.size() > most) {
    throw MachineError(path.string() +
                       ": is not a regular file and has more than 1 GiB; give a file");
  }
  refuse_git_pointer(path, bytes);
  if (!has_end) keep_piped_bytes(path, bytes);
  return bytes;
}

void sync_file(const fs::path& path) {
  sync_path(path, O_RDONLY);
}

void sync_folder(const fs::path& path) {
  sync_path(path, O_RDONLY | O_DIRECTORY);
}

void sync_disk(const fs::path& path) {
  const FileDescriptor file = open_file(path, O_RDONLY);
  if (syncfs(file.get()) != 0) throw_file_error(path, "cannot sync", errno);
}

PendingFile::PendingFile(fs::path path) : path_(std::move(path)) {
  temporary_ = folder_of(path_) /
               fmt::format(".{}.{}{}", path_.filename().string(), getpid(), kTemporaryEnding);
}

PendingFile::~PendingFile() {
  if (!renamed_) unlink(temporary_.c_str());
}

void PendingFile::finish() {
  sync_file(temporary_);
}

void PendingFile::rename_to_final() {
  if (rename(temporary_.c_str(), path_.c_str()) != 0)
    throw_file_error(path_, "cannot rename to it", errno);
  renamed_ = true;
}

void PendingFile::publish() {
  finish();
  kill_point("before_file_rename");
  rename_to_final();
  kill_point("after_file_rename");
  sync_folder(folder_of(path_));
}

void write_file_durably(const fs::path& path, std::string_view bytes) {
  PendingFile pending(path);
  fill(pending, path, bytes);
  pending.publish();
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  struct stat old {};
  const bool replaces = stat(path.c_str(), &old) == 0;
  if (replaces && !S_ISREG(old.st_mode)) {
    write_all(open_file(path, O_WRONLY).get(), bytes, path);
    return;
  }
  PendingFile pending(fs::is_symlink(path) ? fs::weakly_canonical(path) : path);
  fill(pending, path, bytes);
  if (replaces && chmod(pending.temporary().c_str(), old.st_mode & 07777) != 0)
    throw_file_error(path, "cannot keep its permissions", errno);
  pending.rename_to_final();
}

void make_folder_durably(const fs::path& path) {
  std::vector<fs::path> missing;
  for (fs::path folder = fs::absolute(path).lexically_normal(); !fs::exists(folder);
       folder = folder.parent_path()) {
    if (folder.has_filename()) missing.push_back(folder);
  }
  for (; !missing.empty(); missing.pop_back()) {
    const fs::path& folder = missing.back();
    if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
      throw_file_error(folder, "cannot make the folder", errno);
    sync_folder(folder.parent_path());
  }
  if (!fs::is_directory(path)) throw MachineError(path.string() + ": is not a folder");
}

fs::path whole_path(const fs::path& path) {
  return fs::weakly_canonical(fs::absolute(path));
}

std::vector<fs::path> temporary_files(const fs::path& folder) {
  std::vector<fs::path> found;
  if (is_below_a_trial(folder) && !store_folder_problem(folder).empty()) return found;
  std::error_code ignored;  // no folder: no files
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_one = name.starts_with('.') && name.ends_with(kTemporaryEnding);
    if (is_one && !fs::is_directory(entry.symlink_status())) found.push_back(entry.path());
  }
  return found;
}

size_t remove_temporary_files(const fs::path& folder) {
  size_t removed = 0;
  for (const fs::path& path : temporary_files(folder)) {
    if (unlink(path.c_str()) == 0) ++removed;
  }
  return removed;
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

}  // namespace rethink
