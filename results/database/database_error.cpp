#include "results/database/database_error.h"

#include <SQLiteCpp/Exception.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/owner.h"
#include "core/files/temporary_folder.h"
#include "core/message.h"
#include "core/system/machine_fault.h"
#include "results/database/database_place.h"
#include "results/database/page_checksums.h"
#include "results/database/shared_store.h"
#include "results/database/wait_for_writers.h"

namespace rethink {
namespace {

constexpr uint64_t kLeast = 64 << 10;  // the first bytes of SQLite's -shm and -wal

/// MAX_PATHNAME of SQLite's os_unix.c, which includes the ending of a journal's name.
constexpr size_t kLongestOfSqlite = 512;
/// A new database is made under the longer name ".rethink.db.PID.tmp" (PendingFile).
constexpr size_t kLongestDatabasePath = kLongestOfSqlite - std::string_view("-journal").size() -
                                        std::string_view("..4194304.tmp").size();

bool is_too_long(const std::filesystem::path& path) {
  return whole_path(path).string().size() > kLongestDatabasePath;
}

/// EMFILE or ENFILE if SQLite lacked descriptors for the database, its -wal and its -shm, which
/// SQLite reports with one text for all three; else 0.
int descriptor_shortage() {
  std::vector<FileDescriptor> three;
  while (three.size() < 3) {
    three.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!three.back()) return errno == EMFILE || errno == ENFILE ? errno : 0;
  }
  return 0;
}

/// Whether SQLite met the limit of a file's size, which SQLite reports as "disk I/O error". A -wal
/// that could not grow was cut back.
bool is_as_large_as_allowed(const std::filesystem::path& database) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  uint64_t largest = 0;
  for (const char* suffix : {"", "-wal", "-journal"}) {
    std::error_code none;
    const uint64_t bytes = std::filesystem::file_size(database.string() + suffix, none);
    if (!none) largest = std::max(largest, bytes);
  }
  constexpr uint64_t kSmallTransaction = 128 << 10;
  return largest + kSmallTransaction > limit.rlim_cur;
}

/// SQLite's text, or the number of the page that SQLite could not read.
std::string damage_of(const std::filesystem::path& database, const SQLite::Exception& error) {
  std::string problem;
  try {
    problem = unfit_pages(database).problem;
  } catch (const MachineError&) {  // the damage is reported instead
  }
  return problem.empty() ? error.what() : problem;
}

}  // namespace

bool is_damage(const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

std::string another_snapshot_text(const std::filesystem::path& snapshot) {
  return "take another snapshot of its store: " + store_command("db snapshot FILE", snapshot);
}

std::string damaged_database_text(const std::filesystem::path& database, const std::string& what,
                                  const std::filesystem::path& store) {
  if (database == store)
    return fmt::format("{}: the snapshot is damaged ({}); {}", database.string(), what,
                       another_snapshot_text(store));
  return fmt::format(
      "{}: the database is damaged ({}); `{}` makes it again from the trials' folders",
      database.string(), what, store_command("db rebuild", store));
}

void throw_database_error(const std::filesystem::path& path, const SQLite::Exception& error,
                          const std::filesystem::path& store) {
  const int code = error.getErrorCode();
  if (is_damage(error))
    throw MachineError("damaged-database",
                       damaged_database_text(path, damage_of(path, error), store));
  const int wanting = code == SQLITE_CANTOPEN ? descriptor_shortage() : 0;
  if (wanting)
    throw ResourceError("no-resources",
                        text_of_resource_error(path.string() + ": cannot open", wanting));
  const bool may_be_full = code == SQLITE_CANTOPEN || code == SQLITE_IOERR;
  const auto is_full = [&] {
    const DiskRoom room = disk_room(path);
    return room.free_bytes < kLeast || lacks_inodes(room);
  };
  if (code == SQLITE_FULL || (may_be_full && is_full()))
    throw_file_error(path, "cannot write", ENOSPC);
  if (code == SQLITE_IOERR && is_as_large_as_allowed(path))
    throw_file_error(path, "cannot write", EFBIG);
  if (code == SQLITE_BUSY) {
    throw MachineError(
        "database-locked",
        fmt::format(
            "{}: {}: {} holds its write lock, as a database browser with an open edit "
            "does; save or "
            "close its edit, then give the same command again: it continues, nothing is lost",
            path.string(), error.what(), holder_of_write_lock(path)));
  }
  const bool is_refused = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
  if (const std::string text = is_refused ? foreign_files(path) : ""; !text.empty())
    throw MachineError("database-error", text);
  if (code == SQLITE_CANTOPEN && is_too_long(path)) {
    throw MachineError(
        "path-too-long",
        fmt::format(
            "{}: the path of the database has {} bytes and may have at most {}: SQLite allows {}, "
            "and files beside the database have longer names; put the store where "
            "its path is shorter (--store)",
            path.string(), whole_path(path).string().size(), kLongestDatabasePath,
            kLongestOfSqlite));
  }
  if (code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH) {
    throw MachineError(
        "damaged-database",
        fmt::format(
            "{}: its rows contradict each other or the trials' folders ({}); `{}` makes all "
            "of them again from the folders",
            path.string(), error.what(), store_command("db rebuild", store)));
  }
  if (code == SQLITE_IOERR) {
    throw DiskError(
        "disk-error",
        fmt::format("{}: cannot read or write ({}); look at the disk (`dmesg`, `mount`)",
                    path.string(), error.what()));
  }
  if (is_refused) {
    if (access(path.c_str(), R_OK) != 0 && errno == EACCES)
      throw_file_error(path, "cannot read", EACCES);
    struct stat status {};
    const bool is_known = stat(path.c_str(), &status) == 0;
    const std::string copy = (temporary_folder() / fmt::format("rethink-{}.db", getpid())).string();
    throw MachineError(
        "database-error",
        fmt::format(
            "{}: cannot be opened, because SQLite needs to write {}-shm beside it and may not; "
            "have {} "
            "run `umask 022; rethink db snapshot --store {} {}`, then read it with --store {}",
            path.string(), path.filename().string(),
            is_known ? user_name(status.st_uid) : "its owner",
            for_a_shell(whole_path(path.parent_path()).string()), for_a_shell(copy),
            for_a_shell(copy)));
  }
  throw MachineError("database-error", fmt::format("{}: {}", path.string(), error.what()));
}

void throw_if_database_error(const std::filesystem::path& store_folder,
                             const std::exception& error) {
  const auto* of_sqlite = dynamic_cast<const SQLite::Exception*>(&error);
  if (!of_sqlite) return;
  throw_database_error(database_path(store_folder), *of_sqlite, store_folder);
}

std::string store_error_text(const std::filesystem::path& store, const std::exception& error) {
  try {
    throw_if_database_error(store, error);
  } catch (const MachineError& meant) {
    return meant.what();
  }
  return machine_message(error);
}

}  // namespace rethink
