#include "results/database/read_aside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/message.h"
#include "core/store_files/store_folder.h"

namespace rethink {
namespace {

constexpr std::array<const char*, 2> kParts = {"", "-wal"};

/// Throws as throw_file_error if the database may not be read.
void require_readable(const std::filesystem::path& database) {
  for (const char* part : kParts) {
    const std::string file = database.string() + part;
    if (access(file.c_str(), F_OK) == 0 && access(file.c_str(), R_OK) != 0)
      throw_file_error(file, "cannot read", errno);
  }
}

/// The system's error number, which distinguishes a limit on the size of files from a full disk; 0
/// without an error.
int copy_bytes(const std::string& from, const std::string& to) {
  constexpr size_t kBlock = 1 << 20;
  const FileDescriptor in(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in) return errno;
  const FileDescriptor out(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!out) return errno;
  std::vector<char> block(kBlock);
  for (;;) {
    const ssize_t size = read(in.get(), block.data(), block.size());
    if (size == 0) return 0;
    if (size < 0) return errno;
    for (ssize_t done = 0; done < size;) {
      const ssize_t more = write(out.get(), block.data() + done, static_cast<size_t>(size - done));
      if (more < 0) return errno;
      done += more;
    }
  }
}

}  // namespace

DatabaseLooks looks_of(const std::filesystem::path& database) {
  DatabaseLooks looks;
  for (const char* part : kParts) {
    const std::filesystem::path file = database.string() + part;
    std::error_code gone;  // a driver that ends removes its -wal
    const uintmax_t bytes = std::filesystem::file_size(file, gone);
    if (!gone) looks[part] = {bytes, std::filesystem::last_write_time(file, gone)};
  }
  return looks;
}

bool may_read_aside(const std::filesystem::path& store_folder, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_IOERR) return false;
  return std::filesystem::is_directory(store_folder) && !is_folder_locked(store_folder);
}

bool would_leave_files(const std::filesystem::path& store_folder,
                       const std::filesystem::path& database) {
  if (!std::filesystem::is_directory(store_folder) || access(database.c_str(), W_OK) == 0)
    return false;
  std::error_code unknown;
  const auto is_there = [&](const char* part) {
    return std::filesystem::exists(database.string() + part, unknown);
  };
  return !(is_there("-wal") && is_there("-shm")) &&
         access(database.parent_path().c_str(), W_OK) == 0;
}

AsideCopy::AsideCopy(const std::filesystem::path& store_folder,
                     const std::filesystem::path& database) {
  require_readable(database);
  folder_.emplace();
  const DatabaseLooks before = looks_of(database);
  int failed = 0;
  for (const auto& [part, looks] : before) {
    failed = copy_bytes(database.string() + part, this->database().string() + part);
    if (failed != 0) break;
  }
  const bool is_whole = looks_of(database) == before && !is_folder_locked(store_folder);
  if (failed == 0 && is_whole) return;
  if (failed != 0) {
    throw_file_error(folder_->path(),
                     fmt::format("cannot copy {} there to be read (TMPDIR names another place)",
                                 database.string()),
                     failed);
  }
  throw MachineError(
      "store-in-use",
      fmt::format("{}: a driver started on the store while its database was read; give the same "
                  "command again, or make a snapshot (`{}`)",
                  store_folder.string(), store_command("db snapshot FILE", store_folder)));
}

std::filesystem::path AsideCopy::database() const {
  return folder_->path() / kDatabaseFile;
}

}  // namespace rethink
