#include "results/database/page_checksums.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <array>
#include <cstring>

#include "core/error.h"
#include "core/files/file.h"
#include "results/database/database_error.h"
#include "results/database/schema.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "tests/support/random_choices.h"
#include "tests/support/throws_code.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

constexpr size_t kPageBytes = 4096;
constexpr double kValue = 0.123456789;
constexpr std::array<const char*, 12> kTables = {
    "trial",       "trial_need", "sweep", "sweep_trial", "attempt",  "metric",
    "measurement", "artifact",   "event", "environment", "progress", "configuration_key"};

/// Adds rows in many pages, and texts that are longer than a page.
void add_pages(const std::filesystem::path& folder) {
  Store store(folder, Store::Access::write);
  store.begin();
  put_metric_rows(store, id_of("a"), "train", "loss", 500, [](int step) { return kValue * step; });
  SQLite::Statement event(store.database(),
                          "INSERT INTO event VALUES(?, 1, ?, 'message', 'info', ?, '{}')");
  for (int line = 100; line < 104; ++line) {
    event.bind(1, id_of("a"));
    event.bind(2, line);
    event.bind(3, std::string(10000, static_cast<char>('a' + line % 26)));
    event.exec();
    event.reset();
  }
  store.commit();
}

void fill_pages(const std::filesystem::path& folder) {
  fill(folder);
  add_pages(folder);
}

/// Returns every row of every table as text. Throws the errors of a command.
std::string all_rows(const std::filesystem::path& folder) {
  Store store(folder, Store::Access::read);
  std::string text;
  for (const char* table : kTables) {
    const bool is_needs =
        table == std::string_view("trial_need");  // older formats have fewer columns
    SQLite::Statement rows(
        store.database(),
        fmt::format("SELECT {} FROM {}", is_needs ? "trial, slot, position, need" : "*", table));
    while (rows.executeStep()) {
      for (int i = 0; i < rows.getColumnCount(); ++i) text += rows.getColumn(i).getString() + '|';
      text += '\n';
    }
  }
  return text;
}

/// Returns all rows, or the message of the error.
std::string rows_or_refusal(const std::filesystem::path& folder) {
  try {
    return all_rows(folder);
  } catch (const std::exception& error) {
    try {
      throw_if_database_error(folder, error);
    } catch (const MachineError& told) {
      return told.what();
    }
    return error.what();
  }
}

/// Returns the bytes of a double as in SQLite's records.
std::string record_bytes(double value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return {bytes.rbegin(), bytes.rend()};
}

TEST(PageChecksums, NoChangedByteChangesAnAnswer) {
  const TempFolder folder;
  fill_pages(folder.path());
  const std::filesystem::path database = folder / "rethink.db";
  const std::string sound = read_file(database);
  const std::string rows = all_rows(folder.path());
  ASSERT_GT(sound.size(), 20 * kPageBytes);
  size_t refused = 0;
  RandomChoices random(7);
  for (int i = 0; i < 400; ++i) {
    // Every byte of the header is changed once.
    const size_t place = i < 100 ? static_cast<size_t>(i) : random.below(sound.size());
    std::string damaged = sound;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << random.below(8)));
    write_text(database, damaged);
    const std::string found = rows_or_refusal(folder.path());
    if (found == rows) continue;
    ++refused;
    EXPECT_THAT(found, AllOf(HasSubstr(database.string()), HasSubstr("database is damaged"),
                             HasSubstr("`rethink db rebuild --store ")))
        << "byte " << place;
    EXPECT_THAT(found, HasSubstr(fmt::format("page {} does not have its checksum",
                                             place / kPageBytes + 1)));
  }
  EXPECT_GT(refused, 300u);
}

TEST(PageChecksums, ANumberThatWasChangedIsRefusedAndHealed) {
  const TempFolder folder;
  fill_pages(folder.path());
  const std::filesystem::path database = folder / "rethink.db";
  std::string bytes = read_file(database);
  const size_t place = bytes.find(record_bytes(kValue * 7));
  ASSERT_NE(place, std::string::npos);
  bytes.replace(place, sizeof(double), record_bytes(kValue * 8));
  write_text(database, bytes);
  EXPECT_THAT(rows_or_refusal(folder.path()), HasSubstr("does not have its checksum"));
  EXPECT_THROW(check_store(folder.path(), /*hashes=*/false), SQLite::Exception);
  { Store(folder.path(), Store::Access::write); }
  EXPECT_TRUE(std::filesystem::exists(database.string() + ".damaged-1"));
  EXPECT_EQ(state_of(folder.path(), "a"), "done");
  EXPECT_EQ(unfit_pages(database).first, std::nullopt);
}

TEST(PageChecksums, AMisplacedPageIsDamage) {
  const TempFolder folder;
  fill_pages(folder.path());
  const std::filesystem::path database = folder / "rethink.db";
  const std::string sound = read_file(database);
  const size_t last = sound.size() / kPageBytes - 1;
  for (const std::string& page :
       {sound.substr(kPageBytes, kPageBytes), std::string(kPageBytes, '\0')}) {
    std::string damaged = sound;
    damaged.replace(last * kPageBytes, kPageBytes, page);
    write_text(database, damaged);
    EXPECT_EQ(unfit_pages(database).first, static_cast<int64_t>(last) + 1);
    EXPECT_THAT(rows_or_refusal(folder.path()), HasSubstr("is damaged"));
  }
  write_text(database, sound.substr(0, sound.size() - 100));
  EXPECT_EQ(unfit_pages(database).first, static_cast<int64_t>(last) + 1);
  EXPECT_THAT(rows_or_refusal(folder.path()), HasSubstr("is damaged"));
}

TEST(PageChecksums, AFileThatWasCutAnywhereIsRefusedOrReadAndHealed) {
  const TempFolder folder;
  fill(folder / "live");
  Store live(folder / "live", Store::Access::write);
  const std::string rows = all_rows(folder / "live");
  live.begin();
  live.clear();
  fill_from_folders(live, folder / "live", read_sweeps(folder / "live"));
  live.commit();  // into the -wal
  const size_t whole = std::filesystem::file_size(folder / "live/rethink.db");
  for (const bool has_wal : {false, true}) {
    for (const size_t length :
         {size_t{1}, size_t{15}, size_t{16}, size_t{99}, size_t{100}, kPageBytes - 1, kPageBytes,
          kPageBytes + 1, 2 * kPageBytes, whole - kPageBytes, whole - 1, whole}) {
      const std::filesystem::path cut = folder / fmt::format("cut-{}-{}", length, has_wal);
      std::filesystem::copy(folder / "live", cut, std::filesystem::copy_options::recursive);
      for (const char* part : {"-wal", "-shm"}) {
        if (!has_wal) std::filesystem::remove(cut / (std::string("rethink.db") + part));
      }
      std::filesystem::resize_file(cut / "rethink.db", length);
      const std::string read = rows_or_refusal(cut);
      if (read != rows) {
        EXPECT_THAT(read, HasSubstr("database is damaged (page ")) << length << " " << has_wal;
      }
      { Store(cut, Store::Access::write); }
      EXPECT_EQ(all_rows(cut), rows) << length << " " << has_wal;
      EXPECT_EQ(unfit_pages(cut / "rethink.db").first, std::nullopt) << length << " " << has_wal;
    }
  }
}

TEST(PageChecksums, AHeaderThatWasZeroedIsDamageAndAnotherProgramsDatabaseIsNot) {
  const TempFolder folder;
  fill(folder.path());
  { Store(folder.path(), Store::Access::write); }
  const std::filesystem::path database = folder / "rethink.db";
  const std::string rows = all_rows(folder.path());
  write_text(database, read_file(database).replace(0, 100, 100, '\0'));
  EXPECT_THAT(rows_or_refusal(folder.path()), HasSubstr("first bytes are not those of a database"));
  { Store(folder.path(), Store::Access::write); }
  EXPECT_EQ(all_rows(folder.path()), rows);
  std::filesystem::remove(database);
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE theirs (x)");
  EXPECT_THAT([&] { Store(folder.path(), Store::Access::write); }, ThrowsCode("wrong-file"));
}

TEST(PageChecksums, OtherProgramsReadTheFileAndWhatTheyWriteIsDamage) {
  const TempFolder folder;
  fill_pages(folder.path());
  const std::filesystem::path database = folder / "rethink.db";
  {
    SQLite::Database theirs(database.string(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(theirs.execAndGet("SELECT count(*) FROM metric WHERE name = 'loss'").getInt(), 502);
    EXPECT_EQ(theirs.execAndGet("PRAGMA integrity_check").getString(), "ok");
    theirs.exec("UPDATE metric_value SET value = 0");
  }
  EXPECT_THAT(rows_or_refusal(folder.path()), HasSubstr("is damaged"));
  rebuild(folder.path());
  EXPECT_EQ(Store(folder.path(), Store::Access::read).metrics(id_of("a"), "dev", "loss").size(),
            2u);
}

/// Has a program without the layer move what `write` leaves in the -wal into the file: it closes the
/// database last.
template <typename Write>
void move_by_another_program(const std::filesystem::path& folder, const Write& write) {
  SQLite::Database theirs((folder / "rethink.db").string(), SQLite::OPEN_READWRITE);
  theirs.exec("BEGIN; SELECT count(*) FROM metric");
  write();
  theirs.exec("COMMIT; SELECT count(*) FROM metric");
}

/// A sector that a disk lost must not be mistaken for a page that another program moved.
void expect_lost_sectors_refused(const std::filesystem::path& folder, size_t lost_bytes) {
  const std::filesystem::path database = folder / "rethink.db";
  const std::string rows = all_rows(folder), bytes = read_file(database);
  for (size_t page = 0; page < bytes.size() / kPageBytes; ++page) {
    std::string lost = bytes;
    lost.replace((page + 1) * kPageBytes - lost_bytes, lost_bytes, lost_bytes, '\0');
    write_text(database, lost);
    const std::string read = rows_or_refusal(folder);
    EXPECT_TRUE(read == rows || read.find("is damaged") != std::string::npos)
        << "page " << page + 1;
  }
  write_text(database, bytes);
}

TEST(PageChecksums, AnotherProgramThatOnlyReadsMakesNoDamage) {
  const TempFolder folder;
  const std::filesystem::path database = folder / "rethink.db";
  fill(folder.path());
  { const Store made(folder.path(), Store::Access::write); }
  move_by_another_program(folder.path(), [&] { add_pages(folder.path()); });
  EXPECT_TRUE(unfit_pages(database).of_another_program);
  EXPECT_THAT(rows_or_refusal(folder.path()), Not(HasSubstr("damaged")));
  expect_lost_sectors_refused(folder.path(), 512);
  mend_database(folder.path());
  EXPECT_FALSE(unfit_pages(database).of_another_program);
  EXPECT_FALSE(unfit_pages(database).first);
}

/// Changes rows at random, like a driver. A row that grows or disappears leaves free space in its page.
void change_rows(Store& store, RandomChoices& random) {
  const auto text = [&](size_t most) {
    return std::string(random.below(most), static_cast<char>('a' + random.below(26)));
  };
  // SQLite then overwrites what it frees with zeros.
  store.database().exec("PRAGMA secure_delete = ON");
  store.begin();
  for (int i = 0; i < 40; ++i) {
    const auto line = static_cast<int64_t>(1000 + random.below(60));
    SQLite::Statement drop(store.database(), "DELETE FROM event WHERE line = ?");
    drop.bind(1, line);
    drop.exec();
    if (random.below(3) == 0) continue;
    SQLite::Statement put(store.database(),
                          "INSERT INTO event VALUES(?, 1, ?, 'message', 'info', ?, '{}')");
    put.bind(1, id_of("a"));
    put.bind(2, line);
    put.bind(3, text(random.below(8) == 0 ? 950 : 300));
    put.exec();
  }
  for (const char* trial : {"a", "d"}) store.set_state(id_of(trial), TrialState::failed, text(300));
  store.commit();
}

TEST(PageChecksums, AMovedPageWithFreeRoomAtItsEndIsReadAsItIs) {
  const TempFolder folder;
  const std::filesystem::path database = folder / "rethink.db";
  fill(folder.path());
  { const Store made(folder.path(), Store::Access::write); }
  const std::string fresh = read_file(database);
  RandomChoices random(11);
  for (int round = 0; round < 30; ++round) {
    write_text(database, fresh);
    std::filesystem::remove(folder / "writes");  // which would tell that this one is older
    std::string rows;
    move_by_another_program(folder.path(), [&] {
      Store store(folder.path(), Store::Access::write);
      for (int i = 0; i < 3; ++i) change_rows(store, random);
      rows = all_rows(folder.path());
    });
    EXPECT_TRUE(unfit_pages(database).of_another_program);
    EXPECT_EQ(rows_or_refusal(folder.path()), rows) << "round " << round;
    if (round < 5) expect_lost_sectors_refused(folder.path(), size_t{512} << round % 3);
  }
}

TEST(PageChecksums, AHoleOfATerabyteBehindTheDatabaseTakesNoTime) {
  const TempFolder folder;
  fill(folder.path());
  { Store(folder.path(), Store::Access::write).set_state(id_of("d"), TrialState::failed); }
  const std::filesystem::path database = folder / "rethink.db";
  const auto pages = static_cast<int64_t>(std::filesystem::file_size(database) / 4096);
  std::filesystem::resize_file(database, uintmax_t{1} << 40);
  EXPECT_EQ(unfit_pages(database).first, pages + 1);
  EXPECT_EQ(Store(folder.path(), Store::Access::write).trial(id_of("d"))->state,
            TrialState::failed);
}

TEST(PageChecksums, AStrangersTriggerRunsNothingHarmful) {
  const TempFolder folder;
  fill(folder.path());
  { Store(folder.path(), Store::Access::write); }
  SQLite::Database((folder / "rethink.db").string(), SQLite::OPEN_READWRITE, 0,
                   page_checksum_layer())
      .exec(
          "CREATE TRIGGER t AFTER UPDATE ON trial_record BEGIN SELECT load_extension('./ran.so'); "
          "END");
  Store store(folder.path(), Store::Access::write);
  EXPECT_THROW(store.set_state(id_of("d"), TrialState::failed), SQLite::Exception);
  EXPECT_EQ(store.trial(id_of("d"))->state, TrialState::cancelled);
}

TEST(PageChecksums, ASnapshotHasThem) {
  const TempFolder folder;
  fill_pages(folder.path());
  const std::filesystem::path copy = folder / "copy.db";
  snapshot(folder.path(), copy);
  EXPECT_EQ(all_rows(copy), all_rows(folder.path()));
  std::string bytes = read_file(copy);
  bytes.replace(bytes.find(record_bytes(kValue * 7)), sizeof(double), record_bytes(kValue * 8));
  write_text(copy, bytes);
  EXPECT_THAT(rows_or_refusal(copy), HasSubstr("does not have its checksum"));
}

/// Restores the form of version 0.1.0: format 1, without space for checksums.
void take_checksums_away(const std::filesystem::path& database) {
  const std::filesystem::path plain = database.string() + ".plain";
  {
    SQLite::Database to(plain.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    to.exec(read_file(std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/fixtures/format_1.sql"));
    to.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = 1", kApplicationId));
    to.exec("ATTACH '" + database.string() + "' AS old");
    for (const std::string table : kTables) {
      const char* columns = table == "trial_need" ? "trial, slot, position, need" : "*";
      to.exec(fmt::format("INSERT INTO main.{0} SELECT {1} FROM old.{0}", table, columns));
    }
  }
  std::filesystem::rename(plain, database);
}

TEST(PageChecksums, ADatabaseWithoutThemIsReadAsItIsAndGetsThemFromTheNextWriter) {
  const TempFolder folder;
  fill(folder.path());
  { Store(folder.path(), Store::Access::write); }
  const std::filesystem::path database = folder / "rethink.db";
  const std::string rows = all_rows(folder.path());
  EXPECT_FALSE(is_without_page_checksums(database));
  take_checksums_away(database);
  const std::string old = read_file(database);
  EXPECT_TRUE(is_without_page_checksums(database));
  EXPECT_EQ(all_rows(folder.path()), rows);
  EXPECT_EQ(read_file(database), old);
  { Store(folder.path(), Store::Access::write); }
  EXPECT_FALSE(is_without_page_checksums(database));
  EXPECT_EQ(unfit_pages(database).first, std::nullopt);
  EXPECT_EQ(all_rows(folder.path()), rows);
  EXPECT_EQ(read_file(database.string() + ".format1"), old);
}

TEST(PageChecksums, ADatabaseWithoutThemThatLostItsFormatIsDamagedAndMadeAgain) {
  const TempFolder folder;
  fill(folder.path());
  { Store(folder.path(), Store::Access::write); }
  const std::filesystem::path database = folder / "rethink.db";
  const std::string rows = all_rows(folder.path());
  take_checksums_away(database);
  std::string bytes = read_file(database);
  bytes[63] ^= 1;
  write_text(database, bytes);
  for (const auto access : {Store::Access::read, Store::Access::write}) {
    EXPECT_THAT([&] { Store(folder.path(), access); },
                testing::ThrowsMessage<MachineError>(testing::AllOf(
                    HasSubstr("is damaged (format 0"), HasSubstr("`rethink db rebuild --store "))));
  }
  EXPECT_EQ(rebuild(folder.path()).moved_aside, folder / "rethink.db.damaged-1");
  EXPECT_FALSE(std::filesystem::exists(database.string() + ".format0"));
  EXPECT_EQ(all_rows(folder.path()), rows);
}

TEST(PageChecksums, ADamagedSnapshotNeedsAnotherSnapshot) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const std::filesystem::path copy = folder / "copy.db";
  snapshot(folder.path(), copy);
  std::string of_a_page = read_file(copy);
  of_a_page[2000] ^= 1;
  take_checksums_away(copy);
  std::string of_the_format = read_file(copy);
  of_the_format[63] ^= 1;
  for (const std::string& damaged : {of_a_page, of_the_format, std::string("no database")}) {
    write_text(copy, damaged);
    EXPECT_THAT([&] { Store(copy, Store::Access::read); },
                testing::ThrowsMessage<MachineError>(
                    testing::AllOf(HasSubstr("copy.db: the snapshot is damaged ("),
                                   HasSubstr("); take another snapshot of its store"))));
  }
}

TEST(PageChecksums, ASnapshotWithWrongRowsNeedsAnotherSnapshot) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const std::filesystem::path copy = folder / "copy.db";
  snapshot(folder.path(), copy);
  take_checksums_away(copy);
  SQLite::Database(copy.string(), SQLite::OPEN_READWRITE)
      .exec("PRAGMA foreign_keys = OFF; DELETE FROM trial WHERE state = 'done'");
  const StoreCheck found = check_store(copy, /*hashes=*/false);
  ASSERT_FALSE(found.problems.empty());
  EXPECT_THAT(found.problems.front(), HasSubstr("belongs to no row of 'trial'"));
  EXPECT_THAT(found.problems.back(), HasSubstr("take another snapshot of its store"));
  EXPECT_FALSE(found.rebuild_helps);
}

TEST(PageChecksums, AFolderInThePlaceOfTheKeptDatabaseIsLeftAlone) {
  const TempFolder folder;
  fill(folder.path());
  { Store(folder.path(), Store::Access::write); }
  const std::filesystem::path database = folder / "rethink.db";
  take_checksums_away(database);
  const std::string old = read_file(database);
  write_text(folder / "rethink.db.format1/mine", "x");
  write_text(folder / "rethink.db.format1-2-wal/mine", "x");
  rebuild(folder.path());
  EXPECT_FALSE(is_without_page_checksums(database));
  EXPECT_EQ(read_file(database.string() + ".format1-3"), old);
  EXPECT_EQ(read_file(folder / "rethink.db.format1/mine"), "x");
}

}  // namespace
}  // namespace rethink
