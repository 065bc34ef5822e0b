#include "results/wait_for_writers.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <ctime>
#include <fstream>
#include <sstream>

#include "core/clock.h"
#include "core/log.h"

namespace rethink {
namespace {

constexpr int64_t kWriteByte = 120;  // of -shm: WAL_WRITE_LOCK of SQLite's file format

/// Nonzero: SQLite tries again.
int wait_a_little(void* given, int tries) {
  WriterWait& wait = *static_cast<WriterWait*>(given);
  const double now_s = monotonic_seconds();
  if (tries == 0) wait.since_s = now_s, wait.is_told = false;
  if (now_s - wait.since_s > kPatience_s || (wait.may_wait && !wait.may_wait())) return 0;
  if (now_s - wait.since_s > wait.quiet_s && !wait.is_told) {
    wait.is_told = true;
    log_warning(fmt::format(
        "{}: {} holds the database's write lock, as a database browser with an open edit does; "
        "waiting for it, {:.0f} min at most; save or close its edit",
        wait.database.string(), holder_of_write_lock(wait.database), kPatience_s / 60));
  }
  const timespec pause{0, tries < 20 ? 5'000'000 : 100'000'000};
  nanosleep(&pause, nullptr);
  return 1;
}

std::string program_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

void wait_for_writers(SQLite::Database& database, WriterWait& wait) {
  sqlite3_busy_handler(database.getHandle(), wait_a_little, &wait);
}

std::string holder_of_write_lock(const std::filesystem::path& database) {
  struct stat shared {};
  if (stat((database.string() + "-shm").c_str(), &shared) != 0) return "another program";
  const std::string inode = fmt::format(":{}", shared.st_ino);
  std::ifstream locks("/proc/locks");
  // "1: POSIX  ADVISORY  WRITE 1234 fd:01:5678 120 120"
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, type, process, file;
    int64_t first = 0, last = 0;
    words >> number >> kind >> advisory >> type >> process >> file >> first >> last;
    if (!words || type != "WRITE" || !file.ends_with(inode)) continue;
    if (first <= kWriteByte && kWriteByte <= last)
      return fmt::format("process {} ({})", process, program_of(process));
  }
  return "another program";
}

}  // namespace rethink
