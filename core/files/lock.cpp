#include "core/files/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/files/unique_names.h"

namespace rethink {

namespace {

/// Applies `command` to the whole file; false if somebody else has the lock.
bool apply(int file, int command, struct flock& lock, const std::filesystem::path& path) {
  while (fcntl(file, command, &lock) != 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno == EINVAL || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
      throw LocksUnsupported(
          "locks-unsupported",
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

namespace {

constexpr const char* kLockFile = "lock";

/// Whether nobody else has locked the folder. Also true if the disk cannot lock folders, as some
/// network disks; then only the lock file decides.
bool lock_open_folder(int folder) {
  int status = 0;
  do {
    status = flock(folder, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  return status == 0 || errno != EWOULDBLOCK;
}

/// flock cannot be tested without taking the lock, and a test must not keep others out. A lock of
/// the open file description can be tested. A folder cannot be opened for writing, so its lock is a
/// shared one. If the disk refuses the lock, a test sees only the lock file.
void mark_open_folder(int folder) {
  struct flock mark = whole_file(F_RDLCK);
  fcntl(folder, F_OFD_SETLK, &mark);
}

bool is_marked(const std::filesystem::path& folder) {
  const FileDescriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct flock mark = whole_file(F_WRLCK);
  return file && fcntl(file.get(), F_OFD_GETLK, &mark) == 0 && mark.l_type != F_UNLCK;
}

}  // namespace

std::optional<FolderLock> FolderLock::try_take(const std::filesystem::path& folder) {
  const std::string problem = store_folder_problem(folder);
  if (!problem.empty()) throw DamagedFile("damaged-file", problem);
  FileDescriptor open_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open_folder) throw_file_error(folder, "cannot open", errno);
  if (!lock_open_folder(open_folder.get())) return std::nullopt;
  const std::filesystem::path path = folder / kLockFile;
  FileDescriptor file = open_store_file(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  std::optional<FileLock> lock = FileLock::try_take(file.get(), path);
  if (!lock) return std::nullopt;
  mark_open_folder(open_folder.get());
  return FolderLock(path, std::move(open_folder), std::move(file), std::move(*lock));
}

void FolderLock::sign(const std::string& text) {
  if (ftruncate(file_.get(), 0) != 0) throw_file_error(path_, "cannot write", errno);
  lseek(file_.get(), 0, SEEK_SET);
  write_all(file_.get(), text, path_);
}

std::optional<std::filesystem::path> FolderLock::moved_to() const {
  struct stat ours {
  }, there{};
  if (fstat(folder_.get(), &ours) != 0) return std::nullopt;
  const bool is_there = stat(path_.parent_path().c_str(), &there) == 0;
  if (is_there && there.st_dev == ours.st_dev && there.st_ino == ours.st_ino) return std::nullopt;
  // If the disk does not answer, the state of the folder is unknown.
  if (!is_there && errno != ENOENT && errno != ENOTDIR) return std::nullopt;
  std::error_code hidden;
  const std::filesystem::path now =
      std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", folder_.get()), hidden);
  struct stat found {};
  const bool is_found = !hidden && stat(now.c_str(), &found) == 0 && found.st_dev == ours.st_dev &&
                        found.st_ino == ours.st_ino;
  return is_found ? now : std::filesystem::path();
}

bool is_folder_locked(const std::filesystem::path& folder) {
  return store_folder_problem(folder).empty() &&
         (is_locked(folder / kLockFile) || is_marked(folder));
}

bool is_lock_file_lost(const std::filesystem::path& folder) {
  return store_folder_problem(folder).empty() && !is_locked(folder / kLockFile) &&
         is_marked(folder);
}

namespace {

/// Describes a disk whose locks were tried.
const char* problem_of(LockSupport support) {
  switch (support) {
    case LockSupport::keeps_nobody_out:
      return "grants one lock twice";
    case LockSupport::refuses_everybody:
      return "refuses a lock that nobody has";
    case LockSupport::unsupported:
      return "does not support file locks (F_OFD_SETLK)";
    case LockSupport::works:
    case LockSupport::not_tried:
      break;
  }
  return "";
}

struct RemovedFile {
  std::filesystem::path path;
  ~RemovedFile() {
    std::error_code ignored;  // a few bytes that nobody reads
    std::filesystem::remove(path, ignored);
  }
};

/// Throws LocksUnsupported, or as throw_file_error.
LockSupport try_locks(const std::filesystem::path& path) {
  // Uses a new file: an existing file is never written to.
  const FileDescriptor file = open_file(path, O_RDWR | O_CREAT | O_EXCL);
  const RemovedFile removed{path};
  write_all(file.get(), "x", path);  // some network disks create a file but refuse bytes
  const FileDescriptor other = open_file(path, O_RDWR);
  const auto held = FileLock::try_take(file.get(), path);
  if (!held) return LockSupport::refuses_everybody;
  return FileLock::try_take(other.get(), path) ? LockSupport::keeps_nobody_out : LockSupport::works;
}

}  // namespace

LockProbe probe_locks(const std::filesystem::path& folder) {
  try {
    const LockSupport support = try_locks(folder / (".lock-probe-" + new_uuid()));
    return {support, problem_of(support)};
  } catch (const LocksUnsupported&) {
    return {LockSupport::unsupported, problem_of(LockSupport::unsupported)};
  } catch (const DiskFullError&) {
    return {LockSupport::not_tried, "its disk is full"};
  } catch (const MachineError& error) {
    return {LockSupport::not_tried, error.what()};
  }
}

}  // namespace rethink
