#include "core/files/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/files/named_file.h"
#include "core/files/owner.h"
#include "core/files/piped_input.h"
#include "core/files/store_file.h"
#include "core/system/kill_point.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

void sync_path(const fs::path& path, int flags) {
  const FileDescriptor file = open_file(path, flags);
  if (fsync(file.get()) != 0) throw_file_error(path, "cannot sync", errno);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

constexpr const char* kTemporaryEnding = ".tmp";

/// Errors name the requested file instead of the temporary file.
void fill(const PendingFile& pending, const fs::path& path, std::string_view bytes) {
  const FileDescriptor file(
      open(pending.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  // The folder forbids it, whatever the rights of the file are.
  if (!file && errno == EACCES) {
    throw MachineError("file-error",
                       fmt::format("{}: cannot create: {}{}", path.string(), std::strerror(EACCES),
                                   refusal_text(pending.temporary(), EACCES)));
  }
  if (!file) throw_file_error(path, "cannot create", errno);
  write_all(file.get(), bytes, path);
}

}  // namespace

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
    if (!trouble.empty()) throw MachineError("dangling-link", trouble);
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
    throw MachineError(
        "not-a-file",
        path.string() + ": is not a regular file and has more than 1 GiB; give a file");
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
  if (!fs::is_directory(path))
    throw MachineError("not-a-folder", path.string() + ": is not a folder");
}

fs::path whole_path(const fs::path& path) {
  return fs::weakly_canonical(fs::absolute(path));
}

std::vector<fs::path> temporary_files(const fs::path& folder) {
  std::vector<fs::path> found;
  if (is_below_a_trial(folder) && !store_folder_problem(folder).empty()) return found;
  std::error_code ignored;  // a missing folder has no files
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

}  // namespace rethink
