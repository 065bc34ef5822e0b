#include "results/upkeep/check_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/stored_json.h"
#include "results/folders/outside_scores.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CheckStore, FindsNothingWrongInAWholeStore) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems, IsEmpty());
}

TEST(CheckStore, NamesWhatDiffersBetweenRowsAndFolders) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  std::filesystem::remove(trial_folder(folder.path(), id_of("a")) / "result.json");
  std::filesystem::remove_all(trial_folder(folder.path(), id_of("e")));
  TrialMaker(folder.path(), "f");
  TrialMaker(folder.path(), "b", {{"steps", 20}}).attempt(1, {}).attempt(2, {});
  const StoreCheck found = check_store(folder.path(), /*hashes=*/false);
  EXPECT_TRUE(found.rebuild_helps);
  const std::string all = joined(found.problems, "\n");
  EXPECT_THAT(all, HasSubstr("trial " + id_of("a") +
                             ": is done in the database and has no result.json; the "
                             "next run of its sweep makes it again"));
  EXPECT_THAT(all, testing::Not(HasSubstr("not all of its events")));
  EXPECT_THAT(all, HasSubstr("trial " + id_of("e") + ": has rows but no folder"));
  EXPECT_THAT(all, HasSubstr("trial " + id_of("f") + ": has a folder but no rows"));
  EXPECT_THAT(all, HasSubstr("is shorter than what was read of it"));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("trial " + id_of("b") +
                                                 ": has attempts that are not in the database")));
}

TEST(CheckStore, NamesADoneTrialThatLacksWhatAnAttemptWentOnFrom) {
  const TempFolder folder;
  TrialMaker(folder.path(), "a")
      .attempt(2, {start_event(2, 5), metric_event("loss", 8, 2), end_event("done")})
      .result(2);
  EXPECT_THAT(rebuild(folder.path()).damaged, ElementsAre(id_of("a")));
  Store(folder.path(), Store::Access::write)
      .set_state(id_of("a"), TrialState::done);  // an older version's
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems,
              Contains(HasSubstr("lacks events of an attempt from which a later one went on: after "
                                 "`" +
                                 store_command("db rebuild", folder.path()) +
                                 "` the next run of its sweep makes it again")));
}

TEST(CheckStore, LooksAtFilesOfAnEarlierResultThatCounts) {
  const TempFolder folder;
  TrialMaker trial(folder.path(), "a");
  trial
      .attempt(1, {start_event(1, 0),
                   {{"event", "artifact"},
                    {"name", "predictions"},
                    {"kind", "predictions"},
                    {"file", "artifacts/w"},
                    {"sha256", sha256_hex("abc")},
                    {"bytes", 3},
                    {"facts", Json::object()}},
                   end_event("done")})
      .result(1);
  write_text(trial.folder() / "artifacts" / "w", "abc");
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(2, {start_event(2, 0)}).ended(2, {{"outcome", "killed"}});
  write_trial_state(trial.folder(), TrialState::failed, "killed");
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems, IsEmpty());
  write_text(trial.folder() / "artifacts" / "w", "abd");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems,
              ElementsAre(HasSubstr("artifacts/w has another SHA-256 than when it was made")));
}

TEST(CheckStore, NeverAdvisesToRemoveAnEarlierResultThatCounts) {
  const TempFolder folder;
  TrialMaker trial(folder.path(), "a");
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3), end_event("done")}).result(1);
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(2, {start_event(2, 0)}).ended(2, {{"outcome", "killed"}});
  write_trial_state(trial.folder(), TrialState::failed, "killed");
  rebuild(folder.path());
  write_text(trial.folder() / "old_result.json", "{");
  const StoreCheck found = check_store(folder.path(), /*hashes=*/false);
  EXPECT_THAT(found.problems,
              ElementsAre(testing::AllOf(
                  HasSubstr("old_result.json is damaged"),
                  HasSubstr("`" + store_command("retry " + trial.id(), folder.path()) +
                            "` and the next run of its sweep make its result again; a rebuild "
                            "before that loses its numbers"))));
  EXPECT_THAT(found.rebuild_loses, ElementsAre(trial.id()));
}

TEST(CheckStore, SaysWhenABackupThatIsPutBackWouldNotBeNoticed) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).notes, IsEmpty());
  std::filesystem::remove(folder / "writes");
  std::filesystem::create_directory(folder / "writes");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).notes,
              ElementsAre(HasSubstr("/writes: does not count transactions")));
}

TEST(CheckStore, LeavesATrialOfAMissingSweepToARun) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  std::filesystem::remove_all(trial_folder(folder.path(), id_of("a")));
  for (const bool hashes : {false, true}) {
    const StoreCheck found = check_store(folder.path(), hashes);
    EXPECT_THAT(found.problems, ElementsAre("trial " + id_of("a") +
                                            ": its folder is missing; the next run of its sweep "
                                            "makes it again"));
    EXPECT_FALSE(found.rebuild_helps);
  }
}

TEST(CheckStore, SaysThatImportedScoresGoWithTheFolder) {
  const TempFolder folder;
  fill(folder.path());
  const std::filesystem::path trial = trial_folder(folder.path(), id_of("a"));
  write_outside_scores(trial, {{"test", 0.5, "gluebenchmark.com", "2026-11-20"}});
  rebuild(folder.path());
  std::filesystem::remove_all(trial);
  EXPECT_THAT(
      check_store(folder.path(), /*hashes=*/false).problems,
      ElementsAre("trial " + id_of("a") +
                  ": its folder is missing; the next run of its sweep makes it again, but not "
                  "its imported scores: import them again"));
}

TEST(CheckStore, AdvisesToRemoveADamagedStateBesideAResult) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const std::filesystem::path state = trial_folder(folder.path(), id_of("a")) / "state.json";
  write_text(state, "{}");
  EXPECT_THAT(
      check_store(folder.path(), /*hashes=*/false).problems,
      ElementsAre(testing::EndsWith("; remove it: its result.json says how the trial ended")));
  std::filesystem::remove(state);
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems, IsEmpty());
}

TEST(CheckStore, SaysThatTheDatabaseIsOlderThanTheStore) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const std::string old = read_file(folder / "rethink.db");
  {
    Store later(folder.path(), Store::Access::write);
    later.begin();
    later.commit();
  }
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems, IsEmpty());
  for (const char* part : {"rethink.db-wal", "rethink.db-shm"})
    std::filesystem::remove(folder / part);
  write_text(folder / "rethink.db", old);
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems,
              Contains(HasSubstr("it is older than the store")));
  { Store(folder.path(), Store::Access::write); }
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems, IsEmpty());
}

TEST(CheckStore, SaysWhereTrialJsonAloneIsMissing) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  std::filesystem::remove(trial_folder(folder.path(), id_of("a")) / "trial.json");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems,
              ElementsAre("trial " + id_of("a") +
                          ": its trial.json is missing; the next run of its sweep writes it anew"));
}

TEST(CheckStore, SaysHowARenamedFolderIsPutBack) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const auto own = trial_folder(folder.path(), id_of("a"));
  const auto other = trial_folder(folder.path(), id_of("7"));
  const std::string named =
      "trial " + id_of("7") + ": its trial.json is that of trial " + id_of("a");
  std::filesystem::rename(own, other);
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems,
              testing::Contains(named + ", so that the folder was renamed; `mv " + other.string() +
                                " " + own.string() + "` puts it back"));
  std::filesystem::copy(other, own, std::filesystem::copy_options::recursive);
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems,
              ElementsAre(named + ", which has a folder of its own; `" +
                          store_command("rm " + id_of("7"), folder.path()) + "` removes this one"));
}

TEST(CheckStore, NamesADamagedSweepOnce) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const std::filesystem::path file = read_sweep_files(folder.path()).front().path;
  write_text(file, "{");
  testing::internal::CaptureStderr();
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems,
              ElementsAre(HasSubstr(file.string() + " is damaged")));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(CheckStore, SeesWhatWasAddedAfterTheLastEvent) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const TrialMaker a(folder.path(), "a", {{"steps", 10}});
  write_text(a.events(2), read_file(a.events(2)) + "garbage");
  const StoreCheck found = check_store(folder.path(), /*hashes=*/false);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("has 7 bytes after the last event")));
  EXPECT_FALSE(found.rebuild_helps);
}

TEST(CheckStore, NamesADoneTrialWithoutRows) {
  for (const char* lost : {"DELETE FROM attempt WHERE trial = ?",
                           "UPDATE attempt SET bytes_read = 0"
                           " WHERE trial = ?"}) {
    const TempFolder folder;
    fill(folder.path());
    rebuild(folder.path());
    {
      Store store(folder.path(), Store::Access::write);
      SQLite::Statement statement(store.database(), lost);
      statement.bind(1, id_of("a"));
      statement.exec();
    }
    for (const bool hashes : {false, true}) {
      const StoreCheck found = check_store(folder.path(), hashes);
      EXPECT_THAT(found.problems, Contains(HasSubstr("is done, but not all of its events are in")));
      EXPECT_THAT(found.notes, IsEmpty()) << "no run reads them";
      EXPECT_TRUE(found.rebuild_helps);
    }
  }
}

TEST(CheckStore, NotesEventsThatTheNextRunReads) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  TrialMaker b(folder.path(), "b", {{"steps", 20}});
  b.needs("init", {id_of("a")});
  write_text(b.events(1), read_file(b.events(1)) + "unfinished");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems, IsEmpty());
  write_text(b.events(1), lines_of({start_event(1, 0), end_event("failed"), end_event("failed")}));
  for (const bool hashes : {false, true}) {
    const StoreCheck found = check_store(folder.path(), hashes);
    EXPECT_THAT(found.problems, IsEmpty());
    EXPECT_THAT(found.notes, ElementsAre(HasSubstr("the next run of its sweep reads them")));
  }
}

TEST(CheckStore, ReadsLinesAgainWithHashes) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const TrialMaker a(folder.path(), "a", {{"steps", 10}});
  std::string events = read_file(a.events(2));
  const size_t second_line = events.find('\n') + 1;
  events[second_line + 5] ^= 1;
  write_text(a.events(2), events);
  const StoreCheck found = check_store(folder.path(), /*hashes=*/true);
  EXPECT_THAT(found.problems,
              ElementsAre(HasSubstr(fmt::format(
                  "attempt-2/events.jsonl was damaged after byte {} since it "
                  "was read; a rebuild loses its numbers; to restore it: {}, then run its sweep",
                  second_line, store_command("rm " + a.id(), folder.path())))));
  EXPECT_FALSE(found.rebuild_helps);
  EXPECT_THAT(found.rebuild_loses, ElementsAre(a.id()));
}

TEST(CheckStore, AdvisesNoRebuildWhereTrialJsonIsDamaged) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  write_text(trial_folder(folder.path(), id_of("a")) / "trial.json", "{");
  const auto problem = testing::AllOf(HasSubstr("trial.json is damaged"),
                                      HasSubstr("; the next run of its sweep writes it anew"));
  const auto loses = HasSubstr("; a rebuild before that loses its numbers");
  StoreCheck found = check_store(folder.path(), /*hashes=*/true);
  EXPECT_THAT(found.problems, ElementsAre(testing::AllOf(problem, loses)));
  EXPECT_FALSE(found.rebuild_helps);
  rebuild(folder.path());
  found = check_store(folder.path(), /*hashes=*/true);
  EXPECT_THAT(found.problems, ElementsAre(testing::AllOf(problem, testing::Not(loses))));
  EXPECT_FALSE(found.rebuild_helps);
}

TEST(CheckStore, MissesAnArtifactUnlessNoSweepHasTheTrial) {
  const TempFolder folder;
  const TrialMaker trial = with_artifact(folder.path());
  std::filesystem::remove(trial.folder() / "artifacts" / "w");
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems, IsEmpty());
  write_sweep_file(folder.path(), {"s", "", "", "s.yaml", {{trial.id(), "train", "", {}}}, {}});
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems,
              ElementsAre(HasSubstr("artifacts/w is missing")));
}

TEST(CheckStore, ComparesArtifactsWithTheirHash) {
  const TempFolder folder;
  const TrialMaker trial = with_artifact(folder.path());
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems, IsEmpty());
  const StoreCheck found = check_store(folder.path(), /*hashes=*/true);
  EXPECT_THAT(found.problems,
              ElementsAre(testing::AllOf(HasSubstr("another SHA-256"), HasSubstr("rethink rm"))));
  EXPECT_FALSE(found.rebuild_helps);
  write_text(trial.folder() / "artifacts" / "w", "abcd");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems,
              ElementsAre(HasSubstr("another size")));
}

TEST(CheckStore, ComparesEveryRowWithTheFolders) {
  const std::map<std::string, std::string> changes = {
      {"UPDATE metric_value SET value = 1.5 WHERE step = 10",
       "1 row of metric that the folders do not have, 1 row of metric missing"},
      {"DELETE FROM metric_value", "2 rows of metric missing"},
      {"DELETE FROM event WHERE attempt = 2", "2 rows of event missing"},
      {"UPDATE trial_record SET configuration = '{}' WHERE told = 'done'",
       "1 row of trial that the folders do not have, 1 row of trial missing"}};
  for (const auto& [sql, words] : changes) {
    const TempFolder folder;
    fill(folder.path());
    rebuild(folder.path());
    Store(folder.path(), Store::Access::write).database().exec(sql);
    EXPECT_THAT(check_store(folder.path(), /*hashes=*/false).problems, IsEmpty());
    const StoreCheck found = check_store(folder.path(), /*hashes=*/true);
    EXPECT_THAT(found.problems, ElementsAre("trial " + id_of("a") + ": has " + words));
    EXPECT_TRUE(found.rebuild_helps);
  }
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  Store(folder.path(), Store::Access::write).database().exec("UPDATE sweep_trial SET labels='{}'");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems,
              ElementsAre("database: has 1 row of sweep_trial that the folders do not have",
                          "database: has 1 row of sweep_trial missing"));
}

TEST(CheckStore, SeesADecisionThatOnlyTheDatabaseHas) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  {
    Store store(folder.path(), Store::Access::write);
    store.set_state(id_of("c"), TrialState::failed);
    store.set_state(id_of("e"), TrialState::cancelled);
  }
  for (const bool hashes : {false, true}) {
    const StoreCheck found = check_store(folder.path(), hashes);
    EXPECT_THAT(
        found.problems,
        ElementsAre(
            "trial " + id_of("c") + ": is failed in the database and not in its folder",
            "trial " + id_of("e") + ": is cancelled in the database and not in its folder"));
    EXPECT_TRUE(found.rebuild_helps);
  }
}

TEST(CheckStore, ComparesCancellationsOfTrialsInSweeps) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  Store(folder.path(), Store::Access::write).database().exec("UPDATE sweep_trial SET cancelled=0");
  EXPECT_THAT(
      check_store(folder.path(), /*hashes=*/true).problems,
      Contains("trial " + id_of("d") +
               ": has 1 row of trial that the folders do not have, 1 row of trial missing"));
}

TEST(CheckStore, LeavesATrialToTheNextRunThatItsDriverLost) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  Store(folder.path(), Store::Access::write).set_state(id_of("a"), TrialState::running);
  for (const bool hashes : {false, true}) {
    const StoreCheck found = check_store(folder.path(), hashes);
    EXPECT_THAT(found.problems, IsEmpty());
    EXPECT_THAT(found.notes, ElementsAre(HasSubstr("was at work when its driver ended")));
  }
}

TEST(CheckStore, SeesADamagedPlanOfATrial) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const std::filesystem::path file = trial_folder(folder.path(), id_of("a")) / "trial.json";
  Json changed = with_checksum(read_json(file));
  write_text(file, changed.dump());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true).problems, IsEmpty());
  changed["config"]["steps"] = 61;
  for (const std::string& damaged : {std::string("{"), changed.dump()}) {
    write_text(file, damaged);
    for (const bool hashes : {false, true}) {
      EXPECT_THAT(
          check_store(folder.path(), hashes).problems,
          ElementsAre(testing::ContainsRegex("trial.json is damaged .*; the next run of its")));
    }
  }
}

}  // namespace
}  // namespace rethink
