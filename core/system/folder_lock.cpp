#include "core/system/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/system/store_file.h"

namespace rethink {
namespace {

constexpr const char* kLockFile = "lock";

/// Whether nobody else has locked the folder. True as well where the disk cannot lock folders, as
/// some network disks: there the lock file alone decides.
bool lock_open_folder(int folder) {
  int status = 0;
  do {
    status = flock(folder, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  return status == 0 || errno != EWOULDBLOCK;
}

/// flock cannot be asked for without being taken, and who only asks must keep nobody out. A lock on
/// the open file description can be asked for; a folder, which nobody can open for writing, takes a
/// shared one. Where the disk refuses it, those who ask see the lock file alone.
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
  if (!problem.empty()) throw DamagedFile(problem);
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
  // A disk that does not answer says nothing of the folder.
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

}  // namespace rethink
