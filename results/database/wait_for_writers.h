// Waits for another program that holds a database's write lock, such as a database browser with an
// open edit.
#pragma once

#include <filesystem>
#include <functional>
#include <istream>
#include <string>

namespace SQLite {
class Database;
}

namespace rethink {

/// Time after which a writer stops waiting [s].
constexpr double kPatience_s = 300;
/// Longest wait without a message [s].
constexpr double kQuiet_s = 5;

struct WriterWait {
  std::filesystem::path database;
  std::function<bool()> may_wait{};  // false ends the wait; none: true
  double quiet_s = kQuiet_s;         // after this time standard error says who may hold the lock
  double since_s = 0;                // begin of the present wait
  bool is_reported = false;
};

/// Makes statements on `database` wait kPatience_s for the lock, while `wait.may_wait` is true, and
/// report on standard error who may hold it. They then fail as SQLITE_BUSY. Requires: `wait`
/// outlives `database`.
void wait_for_writers(SQLite::Database& database, WriterWait& wait);

/// Returns who holds the write lock now, "process 1234 (python3)", if the kernel tells; else
/// "another program".
std::string holder_of_write_lock(const std::filesystem::path& database);
/// Returns the same for the database whose -shm is `file` in `locks`, the text of /proc/locks.
std::string holder_of_write_lock(std::istream& locks, const std::string& file);

}  // namespace rethink
