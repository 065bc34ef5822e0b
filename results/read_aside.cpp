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
#include "core/temporary_folder.h"

namespace rethink {
namespace {

constexpr std::array<const char*, 2> kParts = {"", "-wal"};

/// For a copy of the database. Throws as throw_file_error where that may not be read.
std::filesystem::path private_folder(const std::filesystem::path& database) {
  for (const char* part : kParts) {
    const std::string file = database.string() + part;
    if (access(file.c_str(), F_OK) == 0 && access(file.c_str(), R_OK) != 0)
      throw_file_error(file, "cannot read", errno);
  }
  std::string name = (temporary_folder() / "rethink-XXXXXX").string();
  if (!mkdtemp(name.data())) throw_file_error(name, "cannot make the folder", errno);
  return name;
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
                     const std::filesystem::path& database)
    : folder_(private_folder(database)) {
  const DatabaseLooks before = looks_of(database);
  std::error_code failed;
  for (const auto& [part, looks] : before) {
    std::filesystem::copy_file(database.string() + part, (folder_ / "rethink.db").string() + part,
                               failed);
    if (failed) break;
  }
  const bool is_whole = looks_of(database) == before && !is_folder_locked(store_folder);
  if (!failed && is_whole) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  if (failed) {
    throw_file_error(folder_,
                     fmt::format("cannot copy {} there to be read (TMPDIR names another place)",
                                 database.string()),
                     failed.value());
  }
  throw MachineError(fmt::format(
      "{}: a driver began to work on the store while its database was read; give the same command "
      "again, or ask for a snapshot (`{}`)",
      store_folder.string(), store_command("db snapshot FILE", store_folder)));
}

AsideCopy::~AsideCopy() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path AsideCopy::database() const {
  return folder_ / "rethink.db";
}

}  // namespace rethink
