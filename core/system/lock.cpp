#include "core/system/lock.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "core/system/store_file.h"

namespace rethink {
namespace {

/// Applies `command` to the whole file; false when somebody else has the lock.
bool apply(int file, int command, struct flock& lock, const std::filesystem::path& path) {
  while (fcntl(file, command, &lock) != 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno == EINVAL || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
      throw LocksUnsupported(
          path.string() +
          ": this disk does not support file locks (F_OFD_SETLK), which keep two "
          "processes from running the same trial; put the store on another disk "
          "with --store");
    }
    throw_file_error(path, "cannot lock", errno);
  }
  return true;
}

}  // namespace

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

std::optional<FileLock> FileLock::try_take(int file, const std::filesystem::path& path) {
  struct flock lock = whole_file(F_WRLCK);
  if (!apply(file, F_OFD_SETLK, lock, path)) return std::nullopt;
  return FileLock(file);
}

FileLock FileLock::wait(int file, const std::filesystem::path& path) {
  struct flock lock = whole_file(F_WRLCK);
  apply(file, F_OFD_SETLKW, lock, path);
  return FileLock(file);
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FileLock::~FileLock() {
  struct flock lock = whole_file(F_UNLCK);
  if (file_ >= 0) fcntl(file_, F_OFD_SETLK, &lock);
}

bool is_locked(const std::filesystem::path& path) {
  if (!store_file_problem(path).empty()) return false;
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return false;
  if (!file) throw_file_error(path, "cannot open", errno);
  struct flock lock = whole_file(F_WRLCK);
  apply(file.get(), F_OFD_GETLK, lock, path);
  return lock.l_type != F_UNLCK;
}

}  // namespace rethink
