// What SQLite's errors mean for people.
#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>

#include "core/file.h"
#include "results/store_state.h"

namespace rethink {

void throw_database_error(const std::filesystem::path& path, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
    throw MachineError(fmt::format(
        "{}: the database is damaged ({}); `rethink db rebuild` makes it again from the "
        "trials' folders",
        path.string(), error.what()));
  }
  if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
    throw MachineError(fmt::format(
        "{}: cannot be opened, because SQLite needs to write {}-shm beside it and may not; have "
        "somebody who may write there run `rethink db snapshot FILE`, then read it with --store "
        "FILE",
        path.string(), path.filename().string()));
  }
  if (code == SQLITE_FULL) throw_file_error(path, "cannot write", ENOSPC);
  throw MachineError(fmt::format("{}: {}", path.string(), error.what()));
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
