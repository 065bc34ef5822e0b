#include "results/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "results/database/database_error.h"
#include "results/database/database_place.h"
#include "results/database/schema.h"
#include "results/folders/store_lock.h"
#include "results/store/rebuild.h"
#include "results/store/store_state.h"
#include "tests/support/throws_code.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

TEST(Store, KeepsTrialsWithTheirConfigurationAndState) {
  const TempFolder folder;
  TrialMaker trial(folder.path(), "a", {{"steps", 10}, {"model", {{"layers", 2}}}});
  trial.seed(3).needs("init", {id_of("b"), id_of("c")});
  Store store(folder.path(), Store::Access::write);
  store.put_trial(trial.json(), TrialState::waiting);
  store.set_state(trial.id(), TrialState::failed, "it broke");
  const std::optional<TrialRow> row = store.trial(trial.id());
  ASSERT_TRUE(row);
  EXPECT_EQ(row->job, "noop");
  EXPECT_EQ(row->state, TrialState::failed);
  EXPECT_EQ(row->message, "it broke");
  EXPECT_EQ(row->seed, 3);
  EXPECT_EQ(row->config["model"]["layers"], 2);
  SQLite::Statement needs(store.database(),
                          "SELECT group_concat(need) FROM trial_need WHERE slot = 'init'");
  ASSERT_TRUE(needs.executeStep());
  EXPECT_EQ(needs.getColumn(0).getString(), id_of("b") + "," + id_of("c"));
  EXPECT_FALSE(store.trial(id_of("x")));
}

TEST(Store, PutsAKnownTrialAgainByChangingItsStateOnly) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  Store store(folder.path(), Store::Access::write);
  store.put_trial(trial.json(), TrialState::waiting);
  store.put_trial(trial.json(), TrialState::ready);
  EXPECT_THAT(store.states({trial.id(), id_of("x")}),
              ElementsAre(Pair(trial.id(), TrialState::ready)));
}

TEST(Store, ReplacesTheConfigurationOfAKnownTrialAndForgetsWhatOnlyThatHad) {
  const TempFolder folder;
  const TrialMaker a(folder.path(), "a", {{"steps", 10}, {"checkpoint_every", 1}}),
      b(folder.path(), "b", {{"steps", 10}, {"checkpoint_every", 2}});
  Store store(folder.path(), Store::Access::write);
  store.put_trial(a.json(), TrialState::done);
  store.put_trial(b.json(), TrialState::done);
  const auto varies = [&] {
    SQLite::Statement rows(store.database(), "SELECT key FROM configuration_key WHERE varies");
    return rows.executeStep() ? rows.getColumn(0).getString() : "";
  };
  EXPECT_EQ(varies(), "checkpoint_every");
  Json now = a.json();
  now["config"]["checkpoint_every"] = 2;
  store.put_trial(now, TrialState::done);
  EXPECT_EQ(store.trial(a.id())->config, now.at("config"));
  EXPECT_EQ(varies(), "");
}

TEST(Store, RollsBackWhatWasNotCommitted) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  std::filesystem::remove_all(trial.folder());  // or the database would be made from it
  {
    Store store(folder.path(), Store::Access::write);
    store.begin();
    store.put_trial(trial.json(), TrialState::ready);
  }
  Store store(folder.path(), Store::Access::write);
  EXPECT_FALSE(store.trial(trial.id()));
  store.begin();
  store.put_trial(trial.json(), TrialState::ready);
  store.rollback();
  EXPECT_FALSE(store.trial(trial.id()));
  store.begin();
  store.put_trial(trial.json(), TrialState::ready);
  store.commit();
  EXPECT_TRUE(store.trial(trial.id()));
}

TEST(Store, ReplacesASweepsMembersAndRemembersWhatItGaveUp) {
  const TempFolder folder;
  Store store(folder.path(), Store::Access::write);
  const SweepMember a{id_of("a"), "train", "small", {{"arm", "Star"}}},
      b{id_of("b"), "train", "small", {}};
  store.put_sweep("paper/masks", "small", {a, b});
  store.put_sweep({"paper/masks", "small", {}, {b, a}, {id_of("a")}});
  SQLite::Statement rows(store.database(),
                         "SELECT trial, labels, cancelled FROM sweep_trial ORDER BY position");
  ASSERT_TRUE(rows.executeStep());
  EXPECT_EQ(rows.getColumn(0).getString(), id_of("b"));
  ASSERT_TRUE(rows.executeStep());
  EXPECT_EQ(rows.getColumn(1).getString(), R"({"arm":"Star"})");
  EXPECT_EQ(rows.getColumn(2).getInt(), 1);
  EXPECT_FALSE(rows.executeStep());
}

TEST(Store, GivesTheLastValueOfEachTrialThatHasOne) {
  const TempFolder folder;
  TrialMaker a(folder.path(), "a"), b(folder.path(), "b"), c(folder.path(), "c");
  a.attempt(1, {start_event(1, 0), metric_event("loss", 5, 2.0), metric_event("loss", 10, 1.0)});
  b.attempt(1, {start_event(1, 0), metric_event("loss", 5, "nan")});
  c.attempt(1, {start_event(1, 0), metric_event("other", 5, 4.0)});
  Store store(folder.path(), Store::Access::write);
  EXPECT_THAT(store.last_values({a.id(), b.id(), c.id(), id_of("x")}, "dev", "loss"),
              ElementsAre(Pair(a.id(), 1.0)));
}

TEST(Store, ShowsOneFlatRowPerTrialWithTheKeysThatVary) {
  const TempFolder folder;
  const TrialMaker a(folder.path(), "a",
                     {{"steps", 10}, {"model", {{"layers", 2}, {"name", "it's"}}}});
  const TrialMaker b(folder.path(), "b",
                     {{"steps", 10}, {"model", {{"layers", 4}, {"name", "it's"}}}});
  Store store(folder.path(), Store::Access::write);
  SQLite::Statement row(store.database(), "SELECT * FROM runs ORDER BY \"model.layers\" DESC");
  ASSERT_TRUE(row.executeStep());
  EXPECT_EQ(row.getColumn(0).getString(), b.id());
  EXPECT_EQ(row.getColumn("model.layers").getInt(), 4);
  std::vector<std::string> names;
  for (int i = 0; i < row.getColumnCount(); ++i) names.emplace_back(row.getColumnName(i));
  EXPECT_THAT(names, ElementsAre("trial", "job", "state", "seed", "score", "attempts", "seconds",
                                 "sweeps", "message", "model.layers"));
}

TEST(Store, ShowsLabelsAndFinalMetricsInTheWidenedRuns) {
  const TempFolder folder;
  TrialMaker a(folder.path(), "a", {{"rate", 1}}), b(folder.path(), "b", {{"rate", 2}});
  a.attempt(1,
            {start_event(1, 0), metric_event("loss", 5, 2.0), metric_event("loss@last", 5, 2.0)});
  b.attempt(1, {start_event(1, 0)});
  SweepFile sweep;
  sweep.sweep = std::string("s");
  sweep.members = {{a.id(), "lm", "", {{"arm", "it's"}, {"rate", "1"}, {"Seed", "x"}}},
                   {b.id(), "lm", "", {{"arm", "plain"}, {"rate", "2"}}}};
  write_sweep_file(folder.path(), sweep);
  Store store(folder.path(), Store::Access::write);
  store.widen_runs();
  SQLite::Statement row(store.database(), "SELECT * FROM runs WHERE arm = 'it''s'");
  ASSERT_TRUE(row.executeStep());
  EXPECT_EQ(row.getColumn("dev/loss@last").getDouble(), 2.0);
  std::vector<std::string> names;
  for (int i = 0; i < row.getColumnCount(); ++i) names.emplace_back(row.getColumnName(i));
  // An axis that is an option has one column, and no column differs from another only in capitals.
  EXPECT_THAT(names, ElementsAre("trial", "job", "state", "seed", "score", "attempts", "seconds",
                                 "sweeps", "message", "rate", "arm", "dev/loss@last"));
  EXPECT_FALSE(row.executeStep());
}

TEST(Store, IsMadeFromTheFoldersWithoutADatabase) {
  const TempFolder folder;
  TrialMaker trial(folder.path(), "a");
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 2.0), end_event("done")}).result(1);
  Store store(folder.path(), Store::Access::write);
  EXPECT_EQ(store.trial(trial.id())->state, TrialState::done);
  EXPECT_EQ(curve_of(store, trial.id()), "5:2");
}

TEST(Store, SaysThatThereIsNoStore) {
  const TempFolder folder;
  EXPECT_THAT([&] { Store(folder / "nowhere", Store::Access::read); }, ThrowsCode("no-store"));
  std::filesystem::create_directories(folder / "trials");
  EXPECT_THAT([&] { Store(folder.path(), Store::Access::read); },
              ThrowsMessage<MachineError>(HasSubstr("`rethink db rebuild --store /")));
}

TEST(Store, RefusesADatabaseOfANewerVersion) {
  const TempFolder folder;
  Store(folder.path(), Store::Access::write).database().exec("PRAGMA user_version = 99");
  for (const Store::Access access : {Store::Access::read, Store::Access::write}) {
    EXPECT_THAT([&] { Store(folder.path(), access); }, ThrowsCode("newer-version"));
  }
}

TEST(Store, RefusesADatabaseOfSomebodyElse) {
  const TempFolder folder;
  SQLite::Database((folder / "rethink.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE theirs(x)");
  EXPECT_THAT([&] { Store(folder.path(), Store::Access::write); }, ThrowsCode("wrong-file"));
}

TEST(Store, SaysThatADamagedDatabaseCanBeRebuilt) {
  const TempFolder folder;
  write_text(folder / "rethink.db", std::string(10000, 'x'));
  EXPECT_THAT([&] { Store(folder.path(), Store::Access::read); },
              ThrowsMessage<MachineError>(HasSubstr("`rethink db rebuild --store /")));
}

/// Opens the store for reading as somebody who may not write there: exit code 0 when trial `id` is
/// done, else the message on standard error and exit code 3.
[[noreturn]] void read_without_permission(const std::filesystem::path& folder,
                                          const std::string& id) {
  std::filesystem::permissions(folder, std::filesystem::perms(0555));
  for (const auto& file : std::filesystem::directory_iterator(folder))
    std::filesystem::permissions(file, std::filesystem::perms(file.is_directory() ? 0555 : 0444));
  if (geteuid() == 0 && setuid(65534) != 0) _exit(1);  // permissions do not hold root back
  try {
    const Store store(folder, Store::Access::read);
    _exit(store.trial(id).value().state == TrialState::done ? 0 : 2);
  } catch (const MachineError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(3);
  }
}

TEST(Store, SaysWhichDiskIsFullAndWhatToDo) {
  const TempFolder folder;
  Store store(folder.path(), Store::Access::write);
  store.database().exec("PRAGMA max_page_count = 1");  // no less than there are
  const Json trial{
      {"id", id_of("a")}, {"job", "noop"}, {"config", {{"x", std::string(1 << 20, 'x')}}}};
  EXPECT_THAT([&] { store.put_trial(trial, TrialState::waiting); },
              ThrowsMessage<DiskFullError>(
                  testing::AllOf(HasSubstr((folder / "rethink.db").string() + ": cannot write"),
                                 HasSubstr("free some space and run the same command again"))));
}

TEST(Store, IsAPathWhateverSqliteWouldReadIntoIt) {
  const TempFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {"file:x?mode=memory", "file:y?mode=ro&vfs=none", ":memory:"}) {
    { Store(name, Store::Access::write).set_state("none", TrialState::waiting); }
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(name) / "rethink.db")) << name;
    EXPECT_NO_THROW(Store(name, Store::Access::read)) << name;
    const std::string copy = std::string(name) + ".copy";
    snapshot(name, copy);
    EXPECT_GT(std::filesystem::file_size(copy), 0u) << name;
    EXPECT_NO_THROW(Store(copy, Store::Access::read)) << copy;
  }
  std::filesystem::current_path(before);
}

TEST(Store, SaysWhatMendsRowsThatContradictEachOther) {
  EXPECT_THAT(
      [] {
        throw_database_error("s/rethink.db",
                             SQLite::Exception("UNIQUE failed: a.id", SQLITE_CONSTRAINT), "s");
      },
      ThrowsMessage<MachineError>("s/rethink.db: its rows contradict each other or the trials' "
                                  "folders (UNIQUE failed: a.id); `rethink db "
                                  "rebuild --store s` makes all of them again from the folders"));
  EXPECT_THAT(
      [] {
        throw_database_error("/dev/shm/rethink.db",
                             SQLite::Exception("disk I/O error", SQLITE_IOERR), "s");
      },
      ThrowsMessage<DiskError>(HasSubstr("cannot read or write (disk I/O error)")));
}

TEST(Store, NamesTheRebuildWhereARowContradictsAnother) {
  const TempFolder folder;
  const TrialMaker a(folder.path(), "a"), b(folder.path(), "b");
  Store store(folder.path(), Store::Access::write);
  store.database().exec("CREATE UNIQUE INDEX once ON attempt(outcome)");
  store.put_attempt({a.id(), 1, AttemptOutcome::lost, ""});
  EXPECT_THAT(
      [&] {
        store.put_attempt({b.id(), 1, AttemptOutcome::lost, ""});
      },
      ThrowsMessage<MachineError>(
          testing::AllOf(HasSubstr((folder / "rethink.db").string()),
                         HasSubstr("UNIQUE constraint failed: attempt.outcome"),
                         HasSubstr("` makes all of them again from the folders"))));
}

/// A store with one trial, in a folder that everybody may read.
struct SharedStore {
  SharedStore() { std::filesystem::permissions(folder.path(), std::filesystem::perms(0755)); }
  ~SharedStore() { std::filesystem::permissions(path, std::filesystem::perms(0755)); }
  const TempFolder folder;
  const std::filesystem::path path = folder / "a store?#%20";
  const TrialMaker trial{path, "a"};
};

TEST(Store, IsReadWhereNobodyMayWrite) {
  const SharedStore shared;
  { Store(shared.path, Store::Access::write).put_trial(shared.trial.json(), TrialState::done); }
  EXPECT_EXIT(read_without_permission(shared.path, shared.trial.id()), testing::ExitedWithCode(0),
              "");
}

TEST(Store, IsReadWhereNobodyMayWriteWithWhatAKilledDriverLeftInItsWal) {
  const SharedStore shared;
  const std::filesystem::path killed = shared.path / "rethink.db";
  {
    Store store(shared.path, Store::Access::write);
    store.put_trial(shared.trial.json(), TrialState::done);
    for (const char* part : {"", "-wal"})
      std::filesystem::copy_file(killed.string() + part, killed.string() + part + ".copy");
  }
  for (const char* part : {"", "-wal"})
    std::filesystem::rename(killed.string() + part + ".copy", killed.string() + part);
  ASSERT_GT(std::filesystem::file_size(killed.string() + "-wal"), 0u);
  const TempFolder temporary;
  std::filesystem::permissions(temporary.path(), std::filesystem::perms(0777));
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  EXPECT_EXIT(read_without_permission(shared.path, shared.trial.id()), testing::ExitedWithCode(0),
              "");
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

TEST(Store, OffersASnapshotWhereADriverWorksAndSqliteCannotMakeItsSharedMemory) {
  const SharedStore shared;
  { Store(shared.path, Store::Access::write); }
  const StoreLock lock = StoreLock::take(shared.path, "run");
  EXPECT_EXIT(read_without_permission(shared.path, shared.trial.id()), testing::ExitedWithCode(3),
              "rethink db snapshot --store");
}

TEST(Store, IsReadFromASnapshotFileToo) {
  const TempFolder folder;
  const TrialMaker trial(folder / "store", "a");
  Store(folder / "store", Store::Access::write);
  snapshot(folder / "store", folder / "copy.db");
  EXPECT_TRUE(Store(folder / "copy.db", Store::Access::read).trial(trial.id()));
  EXPECT_THAT([&] { snapshot(folder / "store", folder / "copy.db"); },
              ThrowsMessage<ConfigError>(HasSubstr("exists already")));
}

TEST(Store, ReadsWhileAnotherConnectionWrites) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  Store writer(folder.path(), Store::Access::write);
  const Store reader(folder.path(), Store::Access::read);
  writer.begin();
  writer.set_state(trial.id(), TrialState::failed);
  EXPECT_EQ(reader.trial(trial.id())->state, TrialState::ready);
  writer.commit();
  EXPECT_EQ(reader.trial(trial.id())->state, TrialState::failed);
}

TEST(Store, DoesNotWriteThroughAReader) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  Store(folder.path(), Store::Access::write);
  Store reader(folder.path(), Store::Access::read);
  EXPECT_THROW(reader.set_state(trial.id(), TrialState::failed), MachineError);
}

TEST(DatabasePlace, IsTheStoreItselfOnALocalDisk) {
  const TempFolder folder;
  give_uuid(folder.path());
  EXPECT_EQ(database_path(folder.path(), /*network=*/false), folder / "rethink.db");
}

TEST(DatabasePlace, RefusesALinkThatACopyOfTheStoreWouldShare) {
  const TempFolder folder;
  const TrialMaker trial(folder / "store", "a");
  { Store store(folder / "store", Store::Access::write); }
  std::filesystem::rename(folder / "store/rethink.db", folder / "elsewhere.db");
  std::filesystem::create_symlink(folder / "elsewhere.db", folder / "store/rethink.db");
  for (const Store::Access access : {Store::Access::read, Store::Access::write})
    EXPECT_THROW(Store(folder / "store", access), MachineError);
  EXPECT_THROW(rebuild(folder / "store"), MachineError);
  std::filesystem::create_symlink(folder / "elsewhere.db", folder / "snapshot.db");
  EXPECT_EQ(Store(folder / "snapshot.db", Store::Access::read).trial(trial.id())->state,
            TrialState::ready);
  std::filesystem::remove(folder / "store/rethink.db");
  rebuild(folder / "store");
  EXPECT_EQ(Store(folder / "store", Store::Access::read).trial(trial.id())->state,
            TrialState::ready);
}

TEST(DatabasePlace, IsNotWrittenUnderTwoNames) {
  const TempFolder folder;
  const TrialMaker trial(folder / "store", "a");
  { Store store(folder / "store", Store::Access::write); }
  std::filesystem::create_hard_link(folder / "store/rethink.db", folder / "copy.db");
  EXPECT_THROW(Store(folder / "store", Store::Access::write), MachineError);
  EXPECT_EQ(Store(folder / "store", Store::Access::read).trial(trial.id())->state,
            TrialState::ready);
  std::filesystem::remove(folder / "copy.db");
  Store store(folder / "store", Store::Access::write);
}

/// Fixture with a store as on a network disk, and the folder of its database.
class DatabaseApart : public testing::Test {
 protected:
  DatabaseApart() {
    setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    std::filesystem::create_directory(store_);
    give_uuid(store_);
  }
  ~DatabaseApart() override { unsetenv("XDG_STATE_HOME"); }

  static std::filesystem::path place(const std::filesystem::path& store) {
    return database_path(store, /*network=*/true);
  }
  /// Makes a database there, as the store's driver leaves it.
  static void make(const std::filesystem::path& database, const std::filesystem::path& store) {
    write_text(database, "rows");
    write_text(database.parent_path() / "store", whole_path(store).string());
  }

  const TempFolder folder_;
  const std::filesystem::path store_ = folder_ / "store";
};

TEST_F(DatabaseApart, IsBelowTheStateHome) {
  const std::string uuid = store_uuid(store_);
  EXPECT_EQ(uuid.size(), 36u);
  EXPECT_EQ(place(store_).filename(), "rethink.db");
  EXPECT_EQ(place(store_).parent_path().parent_path(), folder_ / "state" / "rethink");
  EXPECT_THAT(place(store_).parent_path().filename().string(), testing::StartsWith(uuid + "-"));
  give_uuid(store_);
  EXPECT_EQ(store_uuid(store_), uuid);
}

TEST_F(DatabaseApart, IgnoresInvalidUuids) {
  for (const char* text : {"../../evil", "../../../../../../tmp/evil", "\x1b]0;x", "", "a"}) {
    write_text(store_ / "uuid", text);
    EXPECT_EQ(store_uuid(store_), "") << text;
    EXPECT_EQ(place(store_), store_ / "rethink.db") << text;
    give_uuid(store_);
    EXPECT_EQ(place(store_).parent_path().parent_path(), folder_ / "state" / "rethink") << text;
  }
}

TEST_F(DatabaseApart, DiffersForACopyOfTheStore) {
  make(place(store_), store_);
  std::filesystem::copy(store_, folder_ / "copy", std::filesystem::copy_options::recursive);
  EXPECT_EQ(store_uuid(folder_ / "copy"), store_uuid(store_));
  EXPECT_NE(place(folder_ / "copy"), place(store_));
  EXPECT_FALSE(has_database(place(folder_ / "copy")));
}

TEST_F(DatabaseApart, StaysWithAStoreThatIsRenamed) {
  const std::filesystem::path database = place(store_);
  make(database, store_);
  std::filesystem::rename(store_, folder_ / "renamed");
  EXPECT_EQ(place(folder_ / "renamed"), database);
}

TEST_F(DatabaseApart, IsNotReusedWithTheInodeOfAnEarlierStore) {
  const std::filesystem::path before = make_database_place(store_, /*network=*/true);
  make(before, store_);
  EXPECT_EQ(place(store_), before);
  // This is a backup that is copied back: the inode of the same folder, and another file uuid.
  std::filesystem::copy(store_ / "uuid", folder_ / "backup");
  std::filesystem::remove(store_ / "uuid");
  std::filesystem::copy(folder_ / "backup", store_ / "uuid");
  const std::filesystem::path now = place(store_);
  EXPECT_NE(now, before);
  EXPECT_FALSE(std::filesystem::exists(now.parent_path())) << "a reader leaves nothing";
  EXPECT_EQ(make_database_place(store_, /*network=*/true), now);
  make(now, store_);
  EXPECT_EQ(place(store_), now);
  EXPECT_TRUE(has_database(before)) << "the other store's is left alone";
}

TEST_F(DatabaseApart, OfAnEarlierVersionIsTakenAndProvedByTheNextWriter) {
  const std::filesystem::path database = place(store_);
  make(database, store_);
  EXPECT_EQ(place(store_), database);
  EXPECT_FALSE(std::filesystem::exists(database.parent_path() / "proof"));
  EXPECT_EQ(make_database_place(store_, /*network=*/true), database);
  EXPECT_TRUE(std::filesystem::exists(database.parent_path() / "proof"));
  write_text(database.parent_path() / "proof", "1 made 1.000000000");
  EXPECT_NE(place(store_), database);
}

TEST_F(DatabaseApart, IsFoundAfterTheDiskWasMountedUnderAnotherNumber) {
  const std::filesystem::path now = place(store_);
  std::string before = now.parent_path().filename().string();
  before = before.substr(0, before.rfind('-')) + "-abcdef";
  const std::filesystem::path database = folder_ / "state" / "rethink" / before / "rethink.db";
  make(database, store_);
  EXPECT_EQ(place(store_), database);
  std::filesystem::copy(make_database_place(store_, /*network=*/true).parent_path() / "proof",
                        folder_ / "proof");
  EXPECT_EQ(place(store_), database) << "proved, too";
  write_text(database.parent_path() / "store", "/another/store");
  EXPECT_EQ(place(store_), now) << "the same inode on another disk is another store";
}

/// Returns the permissions of `file`, as chmod takes them.
int mode_of(const std::filesystem::path& file) {
  return static_cast<int>(std::filesystem::status(file).permissions()) & 0777;
}

TEST(Store, LetsAGroupWriteItsDatabaseWhereUmaskDoes) {
  const TempFolder folder;
  const mode_t before = umask(0002);
  const TrialMaker trial(folder / "store", "a");
  {
    Store store(folder / "store", Store::Access::write);
    store.set_state(trial.id(), TrialState::failed);
    for (const char* part : {"rethink.db", "rethink.db-wal", "rethink.db-shm"})
      EXPECT_EQ(mode_of(folder / "store" / part), 0664) << part;
  }
  // Older versions made these files.
  std::filesystem::permissions(folder / "store" / "rethink.db", std::filesystem::perms(0644));
  std::filesystem::permissions(folder / "store", std::filesystem::perms(0775));
  { Store store(folder / "store", Store::Access::write); }
  EXPECT_EQ(mode_of(folder / "store" / "rethink.db"), 0664);
  umask(0022);
  const TrialMaker alone(folder / "alone", "a");
  { Store store(folder / "alone", Store::Access::write); }
  EXPECT_EQ(mode_of(folder / "alone" / "rethink.db"), 0644);
  umask(before);
}

/// Runs as a user who may write the store's folder but not the database: reads the database, then lists the folder on standard error. Exit code 0 if trial `id` is done.
[[noreturn]] void read_in_a_shared_folder(const std::filesystem::path& folder,
                                          const std::string& id) {
  std::filesystem::permissions(folder, std::filesystem::perms(0777));
  std::filesystem::permissions(folder / "rethink.db", std::filesystem::perms(0444));
  if (geteuid() == 0 && setuid(65534) != 0) _exit(1);  // permissions do not hold root back
  bool is_done = false;
  {
    const Store store(folder, Store::Access::read);
    is_done = store.trial(id).value().state == TrialState::done;
  }
  for (const auto& file : std::filesystem::directory_iterator(folder))
    std::fprintf(stderr, "<%s>", file.path().filename().c_str());
  _exit(is_done ? 0 : 2);
}

TEST(Store, LeavesNothingBehindForAReaderWhoMayNotWriteTheDatabase) {
  const SharedStore shared;
  { Store(shared.path, Store::Access::write).put_trial(shared.trial.json(), TrialState::done); }
  EXPECT_EXIT(read_in_a_shared_folder(shared.path, shared.trial.id()), testing::ExitedWithCode(0),
              "^(<(rethink.db|uuid|writes|trials|lock)>)*$");
}

/// Prints the message for a writer that may not write another user's -shm; exit code 3.
[[noreturn]] void write_beside_a_foreign_file(const std::filesystem::path& folder) {
  write_text(folder / "rethink.db-shm", "");
  for (const char* name : {"", "uuid", "rethink.db"})
    std::filesystem::permissions(folder / name,
                                 std::filesystem::perms(*name == '\0' ? 0777 : 0666));
  std::filesystem::permissions(folder / "rethink.db-shm", std::filesystem::perms(0444));
  if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
  try {
    Store store(folder, Store::Access::write);
    _exit(0);
  } catch (const MachineError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(3);
  }
}

TEST(Store, NamesAFileOfAnotherUserThatKeepsAWriterOut) {
  const SharedStore shared;
  { Store(shared.path, Store::Access::write); }
  EXPECT_EXIT(write_beside_a_foreign_file(shared.path), testing::ExitedWithCode(3),
              "rethink.db-shm belongs to .* may not write it; .*rm -f '.*rethink.db-shm'");
}

TEST(Store, WaitsForAnotherProgramThatHoldsTheWriteLock) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  Store store(folder.path(), Store::Access::write);
  SQLite::Database browser((folder / "rethink.db").string(), SQLite::OPEN_READWRITE);
  browser.exec("BEGIN IMMEDIATE");
  int asked = 0;
  store.wait_while([&] {
    if (++asked == 3) browser.exec("ROLLBACK");
    return true;
  });
  store.set_state(trial.id(), TrialState::failed);
  EXPECT_GE(asked, 3);
  EXPECT_EQ(store.trial(trial.id())->state, TrialState::failed);
}

TEST(Store, NamesTheProgramThatHoldsTheWriteLock) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  Store store(folder.path(), Store::Access::write);
  SQLite::Database browser((folder / "rethink.db").string(), SQLite::OPEN_READWRITE);
  browser.exec("BEGIN IMMEDIATE");
  store.wait_while([] { return false; });
  EXPECT_THAT([&] { store.set_state(trial.id(), TrialState::failed); },
              ThrowsMessage<MachineError>(testing::AllOf(
                  HasSubstr("holds its write lock"), HasSubstr("it continues, nothing is lost"))));
}

TEST(Store, SaysThatItsPathIsTooLongForSqlite) {
  const TempFolder folder;
  std::filesystem::path deep = folder.path();
  while (deep.string().size() < 520) deep /= std::string(100, 'd');
  EXPECT_THAT([&] { Store(deep, Store::Access::write); }, ThrowsCode("path-too-long"));
}

TEST(Store, WorksWithTheLongestPathThatTheMessageAllows) {
  const TempFolder folder;
  const size_t bytes = 491 - std::string("/rethink.db").size();
  std::filesystem::path deep = std::filesystem::canonical(folder.path());
  while (deep.string().size() + 102 < bytes) deep /= std::string(100, 'd');
  deep /= std::string(bytes - deep.string().size() - 1, 'd');
  { Store(deep, Store::Access::write).set_state("none", TrialState::waiting); }
  EXPECT_EQ((deep / "rethink.db").string().size(), 491u);
  EXPECT_NO_THROW(Store(deep, Store::Access::read));
}

TEST(Store, NamesTheVariableOfAMissingTemporaryFolder) {
  const TempFolder folder;
  const TrialMaker trial(folder.path(), "a");
  ::setenv("TMPDIR", (folder / "gone").c_str(), 1);
  EXPECT_THAT([&] { Store(folder.path(), std::filesystem::path()); },
              ThrowsMessage<MachineError>(HasSubstr("TMPDIR is " + (folder / "gone").string())));
  ::unsetenv("TMPDIR");
}

TEST(Schema, OfAnOlderFormatIsNotMadeTheNewestByItsNumber) {
  const TempFolder folder;
  const std::filesystem::path path = folder / "rethink.db";
  SQLite::Database db(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  make_tables(db, path, folder.path());
  make_tables(db, path, folder.path());
  db.exec("PRAGMA user_version = 1");
  EXPECT_THAT([&] { make_tables(db, path, folder.path()); }, ThrowsCode("older-version"));
  EXPECT_EQ(db.execAndGet("PRAGMA user_version").getInt(), 1);
}

}  // namespace
}  // namespace rethink
