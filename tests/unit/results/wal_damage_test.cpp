#include "results/database/wal_damage.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/error.h"
#include "core/files/file.h"
#include "core/message.h"
#include "results/folders/store_lock.h"
#include "results/upkeep/check_store.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr size_t kHeader = 32, kFrame = 24 + 4096;

/// Fixture with a store whose last writer was killed, so that its changes are only in the -wal.
class WalDamage : public testing::Test {
 protected:
  WalDamage() { fill(folder_ / "live"); }

  void write_metrics(Store& store, const std::string& name, int count) const {
    store.begin();
    add_metrics(store, name, count);
    store.commit();
  }
  static void add_metrics(Store& store, const std::string& name, int count) {
    put_metric_rows(store, id_of("a"), "train", name, count, [](int) { return 0.5; });
  }
  /// Copies the files that a kill at this moment would leave.
  void kill_writer() const {
    std::filesystem::remove_all(killed_);
    std::filesystem::copy(folder_ / "live", killed_, std::filesystem::copy_options::recursive);
  }
  void kill_after_three_transactions() const {
    Store store(folder_ / "live", Store::Access::write);
    for (const char* name : {"one", "two", "three"}) write_metrics(store, name, 600);
    kill_writer();
  }
  std::string damage() const { return wal_damage(killed_ / "rethink.db"); }
  std::filesystem::path part(const std::string& suffix) const {
    return killed_ / ("rethink.db" + suffix);
  }
  void flip(size_t place) const {
    std::string bytes = read_file(part("-wal"));
    bytes.at(place) ^= 1;
    write_text(part("-wal"), bytes);
  }
  static int64_t metrics_of(const std::filesystem::path& folder) {
    Store store(folder, Store::Access::read);
    return store.database().execAndGet("SELECT count(*) FROM metric WHERE split = 'train'");
  }

  TempFolder folder_;
  std::filesystem::path killed_ = folder_ / "killed";
};

TEST_F(WalDamage, IsFoundInFrontOfALaterTransaction) {
  kill_after_three_transactions();
  ASSERT_EQ(damage(), "");
  ASSERT_EQ(metrics_of(killed_), 1800);
  const std::string sound = read_file(part("-wal"));
  for (const bool has_index : {true, false}) {
    if (!has_index) std::filesystem::remove(part("-shm"));
    for (const size_t place : {size_t{0}, size_t{9}, size_t{17}, size_t{30}}) {
      write_text(part("-wal"), sound);
      flip(place);
      EXPECT_EQ(damage(), "rethink.db-wal has a damaged header");
    }
    for (const size_t in_frame : {size_t{1}, size_t{5}, size_t{9}, size_t{18}, size_t{1000}}) {
      write_text(part("-wal"), sound);
      flip(kHeader + kFrame + in_frame);
      EXPECT_EQ(damage(), "rethink.db-wal is damaged at frame 2");
    }
  }
}

TEST_F(WalDamage, IsRefusedByReadersAndHealedByWriters) {
  kill_after_three_transactions();
  std::filesystem::remove(part("-shm"));
  flip(kHeader + kFrame + 1000);
  EXPECT_THAT([&] { Store(killed_, Store::Access::read); },
              ThrowsMessage<MachineError>(
                  HasSubstr("rethink.db: the database is damaged (rethink.db-wal is damaged at "
                            "frame 2); `" +
                            store_command("db rebuild", killed_) + "` makes it again")));
  {
    // The running driver knows more than the file.
    const auto lock = StoreLock::try_take(killed_, "run");
    ASSERT_TRUE(lock);
    EXPECT_NO_THROW(Store(killed_, Store::Access::read));
  }
  { Store(killed_, Store::Access::write); }
  EXPECT_EQ(damage(), "");
  EXPECT_TRUE(std::filesystem::exists(part(".damaged-1-wal")));
  EXPECT_EQ(metrics_of(killed_), 0) << "the trials' folders have none of these";
}

TEST_F(WalDamage, IsFoundByTheIndexWhereTheLastTransactionIsLost) {
  kill_after_three_transactions();
  const std::string sound = read_file(part("-wal"));
  for (const size_t length : {size_t{0}, size_t{31}, kHeader, kHeader + 3 * kFrame,
                              sound.size() - kFrame, sound.size() - 1}) {
    write_text(part("-wal"), sound.substr(0, length));
    EXPECT_THAT(damage(), HasSubstr(length < kHeader ? "rethink.db-wal has a damaged header"
                                                     : "rethink.db-wal is damaged at"))
        << length;
  }
  std::filesystem::remove(part("-wal"));
  EXPECT_THAT(damage(), HasSubstr("rethink.db-wal is missing, whose last"));
  write_text(part("-wal"), sound);
  flip(sound.size() - 10);
  EXPECT_THAT(damage(), HasSubstr("rethink.db-wal is damaged at frame"));
  write_text(part("-shm"), read_file(part("-shm")).replace(20, 1, "x"));
  EXPECT_EQ(damage(), "") << "an index that is damaged itself says nothing";
}

TEST_F(WalDamage, IsNotAMissingWalOfWhichAllIsInTheDatabase) {
  Store store(folder_ / "live", Store::Access::write);
  write_metrics(store, "one", 200);
  store.database().exec("PRAGMA wal_checkpoint(PASSIVE)");
  kill_writer();
  std::filesystem::remove(part("-wal"));
  EXPECT_EQ(damage(), "");
  EXPECT_EQ(metrics_of(killed_), 200);
  write_metrics(store, "two", 200);
  kill_writer();
  std::filesystem::remove(part("-wal"));
  EXPECT_THAT(damage(), HasSubstr("rethink.db-wal is missing"));
}

TEST_F(WalDamage, IsAWalOfTheDatabaseBeforeABackupWasCopiedOverIt) {
  kill_after_three_transactions();
  std::filesystem::copy(killed_, folder_ / "kept", std::filesystem::copy_options::recursive);
  fill(folder_ / "backup");
  for (int i = 0; i < 300; ++i)
    TrialMaker(folder_ / "backup", fmt::format("f{}", i), {{"steps", i}})
        .needs("init", {id_of("a")});
  {
    Store store(folder_ / "backup", Store::Access::write);
    write_metrics(store, "backup", 9000);
  }
  const auto copy_backup = [&](std::chrono::seconds later) {
    std::filesystem::remove_all(killed_);
    std::filesystem::copy(folder_ / "kept", killed_, std::filesystem::copy_options::recursive);
    std::filesystem::copy_file(folder_ / "backup/rethink.db", part(""),
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::last_write_time(part(""),
                                     std::filesystem::last_write_time(part("-wal")) + later);
  };
  for (const bool has_index : {true, false}) {
    copy_backup(std::chrono::seconds(10));
    if (!has_index) std::filesystem::remove(part("-shm"));
    EXPECT_EQ(damage(), "rethink.db-wal is older than rethink.db and does not belong to it");
    { Store(killed_, Store::Access::write); }
    EXPECT_EQ(damage(), "");
    EXPECT_TRUE(check_store(killed_, /*hashes=*/true).problems.empty());
  }
  // This copy keeps the times, and SQLite notices that the pages do not fit together.
  copy_backup(std::chrono::seconds(0));
  EXPECT_EQ(damage(), "");
  { Store(killed_, Store::Access::write); }
  EXPECT_TRUE(std::filesystem::exists(part(".damaged-1")));
  EXPECT_THAT(check_store(killed_, /*hashes=*/true).problems, testing::IsEmpty());
}

TEST_F(WalDamage, IsNotADatabaseIntoWhichSqliteMovedPages) {
  Store store(folder_ / "live", Store::Access::write);
  write_metrics(store, "one", 200);
  store.database().exec("PRAGMA wal_checkpoint(PASSIVE)");
  kill_writer();
  std::filesystem::last_write_time(
      part(""), std::filesystem::last_write_time(part("-wal")) + std::chrono::seconds(10));
  EXPECT_EQ(damage(), "");
  EXPECT_EQ(metrics_of(killed_), 200);
}

TEST_F(WalDamage, IsLookedForWithoutEndingTheLocksOfThisProcess) {
  const Store writer(folder_ / "live", Store::Access::write);
  const Store reader(folder_ / "live", Store::Access::read);
  constexpr off_t kInUse = 128;  // of the -shm: whoever has the database open locks this byte
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kInUse;
  lock.l_len = 1;
  const FileDescriptor index = open_file(folder_ / "live/rethink.db-shm", O_RDWR);
  ASSERT_EQ(fcntl(index.get(), F_OFD_GETLK, &lock), 0);
  EXPECT_EQ(lock.l_type, F_RDLCK);
}

TEST_F(WalDamage, IsNotWhatAKillLeavesOfATransaction) {
  kill_after_three_transactions();
  std::filesystem::remove(part("-shm"));
  const std::string sound = read_file(part("-wal"));
  for (size_t length = 0; length <= sound.size(); length += 331) {
    if (length > 0 && length < kHeader) continue;  // written in one call
    write_text(part("-wal"), sound.substr(0, length));
    EXPECT_EQ(damage(), "") << length;
  }
}

TEST_F(WalDamage, IsNotWhatAnEarlierRoundLeft) {
  Store store(folder_ / "live", Store::Access::write);
  write_metrics(store, "long", 9000);
  store.database().exec("PRAGMA wal_checkpoint(PASSIVE)");
  write_metrics(store, "short", 10);
  kill_writer();
  ASSERT_GT(std::filesystem::file_size(part("-wal")), kHeader + 20 * kFrame);
  EXPECT_EQ(damage(), "");
  EXPECT_EQ(metrics_of(killed_), 9010);
  std::filesystem::remove(part("-shm"));
  EXPECT_EQ(damage(), "");
}

TEST_F(WalDamage, IsNotATransactionThatWasLargerThanTheCache) {
  Store store(folder_ / "live", Store::Access::write);
  write_metrics(store, "before", 10);
  store.database().exec("PRAGMA cache_size = 10");
  store.begin();
  add_metrics(store, "large", 9000);
  kill_writer();
  ASSERT_GT(std::filesystem::file_size(part("-wal")), kHeader + 20 * kFrame);
  EXPECT_EQ(damage(), "");
  EXPECT_EQ(metrics_of(killed_), 10);
  store.rollback();
  write_metrics(store, "after", 10);
  kill_writer();
  EXPECT_EQ(damage(), "");
  EXPECT_EQ(metrics_of(killed_), 20);
  std::filesystem::remove(part("-shm"));
  EXPECT_EQ(damage(), "");
}

}  // namespace
}  // namespace rethink
