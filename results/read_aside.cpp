#include "results/read_aside.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/file.h"
#include "core/folder_lock.h"
#include "core/store_command.h"

namespace rethink {
namespace {

constexpr std::array<const char*, 2> kParts = {"", "-wal"};

/// Throws as throw_file_error where the database may not be read.
void require_readable(const std::filesystem::path& database) {
  for (const char* part : kParts) {
    const std::string file = database.string() + part;
    if (access(file.c_str(), F_OK) == 0 && access(file.c_str(), R_OK) != 0)
      throw_file_error(file, "cannot read", errno);
  }
}

}  // namespace

DatabaseLooks looks_of(const std::filesystem::path& database) {
  DatabaseLooks looks;
  for (const char* part : kParts) {
    const std::filesystem::path file = database.string() + part;
    std::error_code gone;  // as the -wal when a driver ends
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
  std::error_code failed;
  for (const auto& [part, looks] : before) {
    std::filesystem::copy_file(database.string() + part, this->database().string() + part, failed);
    if (failed) break;
  }
  const bool is_whole = looks_of(database) == before && !is_folder_locked(store_folder);
  if (!failed && is_whole) return;
  if (failed) {
    throw_file_error(folder_->path(),
                     fmt::format("cannot copy {} there to be read (TMPDIR names another place)",
                                 database.string()),
                     failed.value());
  }
  throw MachineError(fmt::format(
      "{}: a driver began to work on the store while its database was read; give the same command "
      "again, or ask for a snapshot (`{}`)",
      store_folder.string(), store_command("db snapshot FILE", store_folder)));
}

std::filesystem::path AsideCopy::database() const {
  return folder_->path() / "rethink.db";
}

}  // namespace rethink
