#include "results/database/wait_for_writers.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <ctime>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/clock.h"
#include "core/system/log.h"

namespace rethink {
namespace {

constexpr int64_t kWriteByte = 120;  // of -shm: WAL_WRITE_LOCK of SQLite's file format

/// A return value other than 0 makes SQLite try again.
int wait_a_little(void* given, int tries) {
  WriterWait& wait = *static_cast<WriterWait*>(given);
  const double now_s = monotonic_seconds();
  if (tries == 0) wait.since_s = now_s, wait.is_reported = false;
  if (now_s - wait.since_s > kPatience_s || (wait.may_wait && !wait.may_wait())) return 0;
  if (now_s - wait.since_s > wait.quiet_s && !wait.is_reported) {
    wait.is_reported = true;
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

/// The device of the disk that is mounted there. stat() does not report this for every kind of disk
/// (btrfs), but is used if the kernel does not report the mount.
std::pair<unsigned, unsigned> device_of(const struct statx& file) {
  std::ifstream mounts("/proc/self/mountinfo");
  // "36 35 98:0 /mnt1 /mnt2 ..."
  for (std::string line; (file.stx_mask & STATX_MNT_ID) && std::getline(mounts, line);) {
    std::istringstream words(line);
    uint64_t mount = 0, parent = 0;
    unsigned major = 0, minor = 0;
    char colon = 0;
    if (words >> mount >> parent >> major >> colon >> minor && mount == file.stx_mnt_id)
      return {major, minor};
  }
  return {file.stx_dev_major, file.stx_dev_minor};
}

/// The name of a file in /proc/locks: "fd:01:5678"; empty if the file is missing. Does not open the
/// file, since closing it would end this process's locks on it.
std::string name_in_locks(const std::filesystem::path& path) {
  struct statx file {};
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_MNT_ID, &file) != 0) return "";
  const auto [major, minor] = device_of(file);
  return fmt::format("{:02x}:{:02x}:{}", major, minor, file.stx_ino);
}

}  // namespace

void wait_for_writers(SQLite::Database& database, WriterWait& wait) {
  sqlite3_busy_handler(database.getHandle(), wait_a_little, &wait);
}

std::string holder_of_write_lock(const std::filesystem::path& database) {
  const std::string file = name_in_locks(database.string() + "-shm");
  std::ifstream locks("/proc/locks");
  return holder_of_write_lock(locks, file);
}

std::string holder_of_write_lock(std::istream& locks, const std::string& wanted) {
  // "1: POSIX  ADVISORY  WRITE 1234 fd:01:5678 120 120"
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, type, process, file;
    int64_t first = 0, last = 0;
    words >> number >> kind >> advisory >> type >> process >> file >> first >> last;
    if (!words || type != "WRITE" || file != wanted) continue;
    if (first <= kWriteByte && kWriteByte <= last)
      return fmt::format("process {} ({})", process, program_of(process));
  }
  return "another program";
}

}  // namespace rethink
