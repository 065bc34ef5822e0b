#include "experiments/attempt/command/folder_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <vector>

#include "core/files/file.h"
#include "core/system/machine_fault.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

/// Regular files below `folder` by their relative paths; if `folder` is a file, its path is "".
std::map<std::string, fs::path> files_below(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  if (!fs::is_directory(folder)) {
    files[""] = folder;
    return files;
  }
  constexpr auto kLinks = fs::directory_options::follow_directory_symlink;
  for (const auto& entry : fs::recursive_directory_iterator(folder, kLinks)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder)] = entry.path();
  }
  return files;
}

struct Look {
  uint64_t bytes = 0, inode = 0;
  int64_t changed_ns = 0;
  bool operator==(const Look&) const = default;
};

std::map<std::string, Look> looks_at(const std::map<std::string, fs::path>& files) {
  std::map<std::string, Look> looks;
  for (const auto& [name, file] : files) {
    struct stat found {};
    if (stat(file.c_str(), &found) != 0) throw_file_error(file, "cannot be read", errno);
    looks[name] = {static_cast<uint64_t>(found.st_size), found.st_ino,
                   found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
  }
  return looks;
}

/// Replaces the library's copy, which reports a full disk as "Input/output error". Blocks are
/// shared if the disk can.
void copy_bytes(const fs::path& source, const fs::path& target) {
  const FileDescriptor from = open_file(source, O_RDONLY);
  const FileDescriptor to = open_file(target, O_WRONLY | O_CREAT | O_TRUNC);
  const bool is_shared = ioctl(to.get(), FICLONE, from.get()) == 0;
  std::vector<char> bytes(size_t{1} << 20);
  while (!is_shared) {
    const ssize_t got = read(from.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error(source, "cannot be read", errno);
    if (got == 0) break;
    write_all(to.get(), {bytes.data(), static_cast<size_t>(got)}, target);
  }
  // Kept code is read-only, but its copy is not.
  fs::permissions(target, fs::status(source).permissions() | fs::perms::owner_write);
}

/// Returns whether a link in `folder` stays a link in a copy of the folder: it leads to a place in
/// the folder, or to nothing. A link to files elsewhere would lead to files that may change.
bool keeps_link(const fs::path& link, const fs::path& folder) {
  std::error_code unreadable;
  if (!fs::exists(link, unreadable)) return true;
  const fs::path target = fs::read_symlink(link);
  if (target.is_absolute()) return false;
  const fs::path place = (link.parent_path() / target)
                             .lexically_normal()
                             .lexically_relative(folder.lexically_normal());
  return !place.empty() && *place.begin() != "..";
}

/// Copies what is in the folder `source` into the folder `target`; `whole` is the folder that the
/// caller copies.
void copy_folder(const fs::path& source, const fs::path& target, const fs::path& whole) {
  fs::create_directory(target);
  for (const auto& entry : fs::directory_iterator(source)) {
    const fs::path copy = target / entry.path().filename();
    if (entry.is_symlink() && keeps_link(entry.path(), whole)) {
      fs::create_symlink(fs::read_symlink(entry.path()), copy);
    } else if (entry.is_directory()) {
      copy_folder(entry.path(), copy, whole);
    } else if (entry.is_regular_file()) {
      copy_bytes(entry.path(), copy);
    }
  }
}

void copy_files(const fs::path& source, const fs::path& target) {
  const auto before = looks_at(files_below(source));
  if (fs::is_directory(source)) {
    copy_folder(source, target, source);
  } else {
    copy_bytes(source, target);
  }
  if (looks_at(files_below(source)) != before)
    throw ChangedMeanwhile("file-changed",
                           fmt::format("{} changed while it was copied", source.string()));
}

}  // namespace

std::string sha256_of_tree(const fs::path& folder, const FileHash& hash_of) {
  std::map<std::string, fs::path> files = files_below(folder);
  const fs::path whole = fs::canonical(folder);
  for (auto& [name, file] : files) {
    const fs::path target = fs::canonical(file).lexically_relative(whole);
    // In a trial's folder no link is followed (core/files/store_file.h), so a link to a file of the
    // same tree is hashed by that file.
    const bool is_linked = !name.empty() && target != fs::path(name);
    if (is_linked && !target.empty() && *target.begin() != "..") file = folder / target;
  }
  return sha256_of_files(files, hash_of);
}

std::string sha256_of_files(const std::map<std::string, fs::path>& files, const FileHash& hash_of) {
  std::string text;
  for (const auto& [name, file] : files) {
    const bool runs = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    text += fmt::format("{} {} {} {}\n", hash_of(file), runs ? "x" : "-", name.size(), name);
  }
  return sha256_hex(text);
}

void copy_tree(const fs::path& source, const fs::path& target) {
  std::error_code ignored;
  try {
    copy_files(source, target);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(target, ignored);
    if (error.code() == std::errc::no_such_file_or_directory)
      throw ChangedMeanwhile(
          "file-changed",
          fmt::format("{}: a file was removed while it was copied", source.string()));
    throw_file_error(error.path1().empty() ? source : error.path1(), "cannot be copied",
                     error.code().value());
  } catch (...) {
    const bool is_gone = !fs::exists(source, ignored);
    fs::remove_all(target, ignored);
    if (is_gone)
      throw ChangedMeanwhile("file-changed",
                             fmt::format("{} was removed while it was copied", source.string()));
    throw;
  }
}

void require_room(const fs::path& source, const fs::path& folder) {
  constexpr double kMegabyte = 1e6;
  uint64_t bytes = 0;
  try {
    for (const auto& [name, look] : looks_at(files_below(source))) bytes += look.bytes;
  } catch (const std::exception&) {
    return;  // a file was removed; the copy reports this
  }
  const uint64_t free = free_disk_bytes(folder);
  if (bytes > free)
    throw DiskFullError("disk-full",
                        fmt::format("{} has {:.1f} MB, and {:.1f} MB are free on the disk of {}",
                                    source.string(), static_cast<double>(bytes) / kMegabyte,
                                    static_cast<double>(free) / kMegabyte, folder.string()));
}

bool lies_below(const fs::path& inner, const fs::path& outer) {
  std::error_code gone;
  const auto relative = fs::canonical(inner, gone).lexically_relative(fs::canonical(outer, gone));
  return !gone && !relative.empty() && *relative.begin() != ".." && relative != ".";
}

}  // namespace rethink
