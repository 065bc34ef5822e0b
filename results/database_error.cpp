// What SQLite's errors mean for people.
#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>

#include "core/file.h"
#include "results/shared_store.h"
#include "results/store_state.h"

namespace rethink {
namespace {

constexpr uint64_t kLeast = 64 << 10;  // what SQLite's -shm and -wal begin with

}  // namespace

bool is_damage(const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

void throw_database_error(const std::filesystem::path& path, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  if (is_damage(error)) {
    throw MachineError(fmt::format(
        "{}: the database is damaged ({}); `rethink db rebuild` makes it again from the "
        "trials' folders",
        path.string(), error.what()));
  }
  const bool may_be_full = code == SQLITE_CANTOPEN || code == SQLITE_IOERR;
  if (code == SQLITE_FULL || (may_be_full && free_disk_bytes(path) < kLeast))
    throw_file_error(path, "cannot write", ENOSPC);
  const bool is_refused = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
  if (const std::string text = is_refused ? foreign_files(path) : ""; !text.empty())
    throw MachineError(text);
  if (is_refused) {
    throw MachineError(fmt::format(
        "{}: cannot be opened, because SQLite needs to write {}-shm beside it and may not; have "
        "somebody who may write there run `rethink db snapshot FILE`, then read it with --store "
        "FILE",
        path.string(), path.filename().string()));
  }
  throw MachineError(fmt::format("{}: {}", path.string(), error.what()));
}

void throw_if_database_error(const std::filesystem::path& store_folder,
                             const std::exception& error) {
  if (const auto* of_sqlite = dynamic_cast<const SQLite::Exception*>(&error))
    throw_database_error(database_path(store_folder), *of_sqlite);
}

void run_once(const Store& store, SQLite::Statement& statement) {
  try {
    statement.exec();
    statement.reset();
  } catch (const SQLite::Exception& error) {
    throw_database_error(store.state_->path, error);
  }
}

}  // namespace rethink
