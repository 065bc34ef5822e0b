#include "results/database/wait_for_writers.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;

/// Another process that holds a database's write lock until a test ends it.
class OtherWriter {
 public:
  explicit OtherWriter(const std::string& database) {
    EXPECT_EQ(pipe(begun_), 0);
    EXPECT_EQ(pipe(end_), 0);
    pid_ = fork();
    if (pid_ == 0) hold(database);
    close(begun_[1]);
    close(end_[0]);
    char byte = 0;
    EXPECT_EQ(read(begun_[0], &byte, 1), 1);
  }
  ~OtherWriter() {
    end();
    close(begun_[0]);
  }
  pid_t pid() const { return pid_; }
  void end() {
    if (pid_ == 0) return;
    close(end_[1]);
    waitpid(std::exchange(pid_, 0), nullptr, 0);
  }

 private:
  [[noreturn]] void hold(const std::string& database) const {
    close(end_[1]);
    SQLite::Database opened(database, SQLite::OPEN_READWRITE);
    opened.exec("BEGIN IMMEDIATE");
    char byte = 'x';
    if (write(begun_[1], &byte, 1) == 1) (void)!read(end_[0], &byte, 1);
    _exit(0);
  }

  int begun_[2] = {}, end_[2] = {};
  pid_t pid_ = 0;
};

TEST(WaitForWriters, SaysWhichOtherProcessHoldsTheLock) {
  const TempFolder folder;
  const std::filesystem::path path = folder / "x.db";
  {
    SQLite::Database made(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    made.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
  }
  OtherWriter other(path.string());
  const pid_t holder = other.pid();
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  WriterWait wait{.database = path, .quiet_s = 0};
  wait.may_wait = [&] {
    if (wait.is_reported) other.end();
    return true;
  };
  wait_for_writers(database, wait);
  testing::internal::CaptureStderr();
  database.exec("INSERT INTO t VALUES (1)");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr(fmt::format("x.db: process {} (test_unit_resul) holds the database's "
                                          "write lock, as a database browser with an open edit "
                                          "does; waiting for it, 5 min at most",
                                          holder)));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(WaitForWriters, SaysNothingOfAShortWait) {
  const TempFolder folder;
  const std::filesystem::path path = folder / "x.db";
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
  SQLite::Database browser(path.string(), SQLite::OPEN_READWRITE);
  browser.exec("BEGIN IMMEDIATE");
  int asked = 0;
  WriterWait wait{.database = path, .quiet_s = 3600};
  wait.may_wait = [&] {
    if (++asked == 3) browser.exec("ROLLBACK");
    return true;
  };
  wait_for_writers(database, wait);
  testing::internal::CaptureStderr();
  database.exec("INSERT INTO t VALUES (1)");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(HolderOfWriteLock, IsOfTheSameFileOnTheSameDisk) {
  const std::string text =
      "1: POSIX  ADVISORY  WRITE 99999901 fe:00:5678 120 120\n"
      "2: POSIX  ADVISORY  READ 99999902 fd:01:5678 120 120\n"
      "3: POSIX  ADVISORY  WRITE 99999903 fd:01:5678 120 120\n";
  std::istringstream locks(text), again(text);
  EXPECT_EQ(holder_of_write_lock(locks, "fd:01:5678"), "process 99999903 ()");
  EXPECT_EQ(holder_of_write_lock(again, "fd:02:5678"), "another program");
}

}  // namespace
}  // namespace rethink
