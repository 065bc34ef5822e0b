#include "results/store/rebuild.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "core/files/file.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/stored_json.h"
#include "results/database/page_checksums.h"
#include "results/database/sql_expressions.h"
#include "results/store/ingest.h"
#include "results/upkeep/check_store.h"
#include "results/upkeep/merge.h"
#include "tests/support/throws_code.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Rebuild, FindsTheStatesThatTheFoldersTell) {
  const TempFolder folder;
  fill(folder.path());
  const RebuildReport report = rebuild(folder.path());
  EXPECT_EQ(report.trials, 5u);
  EXPECT_EQ(report.sweeps, 1u);
  EXPECT_THAT(report.damaged, IsEmpty());
  EXPECT_EQ(state_of(folder.path(), "a"), "done");
  EXPECT_EQ(state_of(folder.path(), "b"), "failed");
  EXPECT_EQ(state_of(folder.path(), "c"), "blocked");
  EXPECT_EQ(state_of(folder.path(), "d"), "cancelled");
  EXPECT_EQ(state_of(folder.path(), "e"), "ready");
}

TEST(Rebuild, MakesTheRowsThatWereMadeLive) {
  const TempFolder folder;
  std::string live;
  {
    Store store(folder.path(), Store::Access::write);
    fill(folder.path());
    store.begin();
    for (const std::string name : {"a", "b", "c", "d", "e"}) {
      store.put_trial(read_json(trial_folder(folder.path(), id_of(name)) / "trial.json"),
                      TrialState::waiting);
    }
    store.commit();
    for (const std::string name : {"a", "b"})
      ingest_events(store, trial_folder(folder.path(), id_of(name)));
    store.set_state(id_of("a"), TrialState::done);
    store.set_state(id_of("b"), TrialState::failed, "no data");
    store.set_state(id_of("c"), TrialState::blocked);
    store.set_state(id_of("d"), TrialState::cancelled);
    store.set_state(id_of("e"), TrialState::ready);
    store.put_sweep(*read_sweep(folder.path(), "paper/masks", ""));
    live = dump_rows(store);
  }
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::write);
  EXPECT_EQ(dump_rows(store), live);
  EXPECT_THAT(live, HasSubstr("steps_per_s"));
}

TEST(Rebuild, LetsASelectRunWhoseCandidateHasDiverged) {
  const TempFolder folder;
  TrialMaker candidate(folder.path(), "a");
  candidate.attempt(1, {start_event(1, 0), end_event("diverged")}).result(1, "diverged");
  TrialMaker(folder.path(), "b").needs("from", {candidate.id()}).may_diverge("from");
  TrialMaker(folder.path(), "c").needs("init", {candidate.id()});
  rebuild(folder.path());
  EXPECT_EQ(state_of(folder.path(), "b"), "ready");
  EXPECT_EQ(state_of(folder.path(), "c"), "blocked");
}

TEST(Rebuild, MakesTheRowsOfATrialThatRunsAgain) {
  const TempFolder folder;
  std::string live;
  {
    Store store(folder.path(), Store::Access::write);
    TrialMaker trial(folder.path(), "a");
    trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3),
                      measurement_event("attempt_s", 0, 1), end_event("done")});
    ingest_events(store, trial.folder());
    trial.attempt(2, {start_event(2, 0), metric_event("loss", 5, 3)})
        .ended(2, {{"outcome", "killed"}});
    ingest_events(store, trial.folder());
    trial.attempt(3, {start_event(3, 0), metric_event("loss", 5, 3),
                      measurement_event("attempt_s", 0, 2), end_event("done")});
    ingest_events(store, trial.folder());
    trial.result(3);
    store.set_state(trial.id(), TrialState::done);
    live = dump_rows(store);
  }
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  EXPECT_EQ(dump_rows(store), live);
}

TEST(Rebuild, DoesNotTakeATrialForDoneWhoseEventsEndBeforeItsResult) {
  const TempFolder folder;
  TrialMaker trial(folder.path(), "a");
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3), end_event("done")}).result(1);
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3)});
  EXPECT_THAT(rebuild(folder.path()).damaged, ElementsAre(trial.id()));
  EXPECT_EQ(state_of(folder.path(), "a"), "ready");
}

/// Returns a trial with two attempts, the second resumed from the first one's events, and a result.
TrialMaker resumed_trial(const std::filesystem::path& store) {
  TrialMaker trial(store, "a");
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3), metric_event("loss", 6, 2)});
  Json resumed = start_event(2, 5);
  resumed["rests_on"] = {{"attempt", 1}, {"offset", std::filesystem::file_size(trial.events(1))}};
  trial.ended(1, {{"outcome", "killed"}})
      .attempt(2, {resumed, metric_event("loss", 10, 1), end_event("done")})
      .result(2);
  return trial;
}

std::string counted_state_of(const std::filesystem::path& store, const std::string& name) {
  Store opened(store, Store::Access::read);
  return opened.database()
      .execAndGet(fmt::format("SELECT counted FROM counted_trial WHERE id = '{}'", id_of(name)))
      .getString();
}

TEST(Rebuild, CountsNoTrialOfWhoseEventsAPartIsMissing) {
  const std::vector<std::function<void(const TrialMaker&)>> damages = {
      [](const TrialMaker& trial) { std::filesystem::remove_all(trial.folder() / "attempt-1"); },
      [](const TrialMaker& trial) { write_text(trial.events(1), ""); },
      [](const TrialMaker& trial) {  // one line of the events is missing
        write_text(trial.events(1), lines_of({start_event(1, 0), metric_event("loss", 6, 2)}));
      },
      [](const TrialMaker& trial) {
        write_text(trial.events(2), lines_of({start_event(2, 0), end_event("done")}));
      },
      [](const TrialMaker& trial) {  // the second attempt has the first attempt's events
        std::filesystem::copy_file(trial.events(1), trial.events(2),
                                   std::filesystem::copy_options::overwrite_existing);
      }};
  for (size_t i = 0; i < damages.size(); ++i) {
    const TempFolder folder;
    const TrialMaker trial = resumed_trial(folder.path());
    rebuild(folder.path());
    EXPECT_EQ(counted_state_of(folder.path(), "a"), "done");
    damages[i](trial);
    const RebuildReport report = rebuild(folder.path());
    EXPECT_THAT(report.damaged, ElementsAre(trial.id())) << i;
    EXPECT_THAT(report.lost, ElementsAre(trial.id())) << i;
    EXPECT_EQ(counted_state_of(folder.path(), "a"), "ready") << i;
    const StoreCheck check = check_store(folder.path(), false);
    EXPECT_FALSE(check.rebuild_helps) << i;
    EXPECT_THAT(check.problems, testing::Not(IsEmpty())) << i;
    // A result that was moved aside also does not count.
    std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
    rebuild(folder.path());
    EXPECT_EQ(counted_state_of(folder.path(), "a"), "ready") << i;
  }
}

TEST(Rebuild, KeepsTheEarlierResultOfATrialWhoseRepetitionFailed) {
  const TempFolder folder;
  const TrialMaker trial = resumed_trial(folder.path());
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  TrialMaker(folder.path(), "a")
      .attempt(3, {start_event(3, 0), metric_event("loss", 5, 9)})
      .ended(3, {{"outcome", "timeout"}});
  write_trial_state(trial.folder(), TrialState::failed, "too long");
  rebuild(folder.path());
  EXPECT_EQ(state_of(folder.path(), "a"), "failed");
  EXPECT_EQ(counted_state_of(folder.path(), "a"), "done");
  EXPECT_THAT(check_store(folder.path(), true).problems, IsEmpty());
  const TempFolder into;
  const MergeReport merged = merge_store(folder.path(), into.path());
  EXPECT_EQ(merged.added, 1u);
  EXPECT_EQ(state_of(into.path(), "a"), "done");
  EXPECT_THAT(check_store(into.path(), true).problems, IsEmpty());
  std::filesystem::remove(trial.folder() / "old_result.json");
  rebuild(folder.path());
  EXPECT_EQ(counted_state_of(folder.path(), "a"), "failed") << "without a result nothing counts";
}

TEST(Rebuild, LeavesAnAttemptDoneWhoseRepetitionWasRepeatedInTurn) {
  const TempFolder folder;
  TrialMaker trial(folder.path(), "a");
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3), end_event("done")})
      .attempt(2, {start_event(2, 0), metric_event("loss", 5, 3), end_event("done")})
      .result(2);
  rebuild(folder.path());
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(3, {start_event(3, 0)}).ended(3, {{"outcome", "killed"}});
  write_trial_state(trial.folder(), TrialState::failed, "killed");
  for (int round = 0; round < 2; ++round) {
    rebuild(folder.path());
    const Store store(folder.path(), Store::Access::read);
    EXPECT_EQ(store.attempts(trial.id()).at(0).outcome, AttemptOutcome::done);
    EXPECT_EQ(store.attempts(trial.id()).at(1).outcome, AttemptOutcome::done);
    EXPECT_EQ(counted_state_of(folder.path(), "a"), "done");
    EXPECT_THAT(check_store(folder.path(), true).problems, IsEmpty());
  }
}

TEST(Rebuild, BelievesNoFileOfAnotherAttemptOrTrial) {
  const TempFolder folder;
  TrialMaker failed(folder.path(), "a"), other(folder.path(), "b"), events(folder.path(), "c");
  for (TrialMaker* trial : {&failed, &other}) trial->attempt(1, {start_event(1, 0)});
  write_attempt_end(
      failed.folder() / "attempt-1",
      {.outcome = AttemptOutcome::killed, .message = "theirs", .seconds = 1, .charged = true});
  write_trial_state(failed.folder(), TrialState::failed, "theirs");
  EXPECT_THAT(look_at_files(failed.folder()).damaged, IsEmpty());
  for (const char* file : {"attempt-1/end.json", "state.json"}) {
    std::filesystem::copy_file(failed.folder() / file, other.folder() / file);
  }
  Json foreign = start_event(1, 0);
  foreign["trial"] = failed.id();
  events.attempt(1, {foreign, metric_event("loss", 5, 3)});
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  EXPECT_EQ(store.attempts(failed.id()).at(0).message, "theirs");
  EXPECT_EQ(store.attempts(other.id()).at(0).message, "its end.json is damaged");
  EXPECT_THAT(store.trial(other.id())->message, HasSubstr("its state.json is damaged"));
  EXPECT_THAT(store.metrics(events.id(), "dev", "loss"), IsEmpty());
  EXPECT_EQ(look_at_files(other.folder()).damaged.size(), 2u);
}

TEST(Rebuild, ReadsNoAttemptUnderAnotherName) {
  const TempFolder folder;
  const TrialMaker trial = resumed_trial(folder.path());
  std::filesystem::rename(trial.folder() / "attempt-1", trial.folder() / "attempt-01");
  EXPECT_THAT(rebuild(folder.path()).damaged, ElementsAre(trial.id()));
}

TEST(Rebuild, NamesAStoreWithoutTrialsFolders) {
  const TempFolder folder;
  EXPECT_THAT([&] { rebuild(folder.path()); }, ThrowsCode("no-store"));
  const TrialMaker trial = resumed_trial(folder.path());
  rebuild(folder.path());
  std::filesystem::remove_all(folder.path() / "trials");
  EXPECT_THAT(rebuild(folder.path()).lost, ElementsAre(trial.id()));
}

TEST(Rebuild, TakesNoTrialWhoseTrialJsonWasChanged) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const auto rows = [&] {
    Store store(folder.path(), Store::Access::read);
    return dump_rows(store);
  };
  const std::string before = rows();
  const std::filesystem::path file = trial_folder(folder.path(), id_of("a")) / "trial.json";
  Json json = with_checksum(read_json(file));
  write_text(file, json.dump(2));
  EXPECT_THAT(rebuild(folder.path()).damaged, IsEmpty());
  EXPECT_EQ(rows(), before);
  json["seed"] = 5;
  write_text(file, json.dump(2));
  EXPECT_THAT(rebuild(folder.path()).damaged, ElementsAre(id_of("a")));
}

TEST(Rebuild, ContinuesIfAFileOfTheDriverIsDamaged) {
  for (const char* damaged : {"", "{\"outcome\": \"do", "[]", "{}"}) {
    const TempFolder folder;
    TrialMaker unplanned(folder.path(), "a"), ended(folder.path(), "b"), failed(folder.path(), "c");
    for (TrialMaker* trial : {&unplanned, &ended, &failed}) trial->attempt(1, {start_event(1, 0)});
    write_text(unplanned.folder() / "trial.json", damaged);
    write_text(ended.folder() / "attempt-1/end.json", damaged);
    write_text(failed.folder() / "state.json", damaged);
    const RebuildReport report = rebuild(folder.path());
    EXPECT_THAT(report.damaged, ElementsAre(unplanned.id()));
    Store store(folder.path(), Store::Access::read);
    EXPECT_FALSE(store.trial(unplanned.id()));
    EXPECT_EQ(store.attempts(ended.id()).at(0).message, "its end.json is damaged");
    EXPECT_EQ(store.trial(failed.id())->state, TrialState::failed);
    EXPECT_THAT(store.trial(failed.id())->message, HasSubstr("its state.json is damaged"));
  }
}

TEST(Rebuild, ContinuesIfTheResultOfATrialIsDamaged) {
  for (const char* damaged : {"", "{\"outcome\": \"do", "[]", "{\"outcome\": \"done\"}"}) {
    const TempFolder folder;
    fill(folder.path());
    const std::filesystem::path result = trial_folder(folder.path(), id_of("a")) / "result.json";
    rebuild(folder.path());
    write_text(result, damaged);
    EXPECT_THAT(
        check_store(folder.path(), /*hashes=*/false).problems,
        ElementsAre(testing::AllOf(
            testing::StartsWith("trial " + id_of("a") + ": " + result.string() + " is damaged ("),
            testing::EndsWith("); the next run of its sweep makes it again; a rebuild before that "
                              "loses its numbers"))));
    const RebuildReport report = rebuild(folder.path());
    EXPECT_THAT(report.damaged, ElementsAre(id_of("a")));
    EXPECT_THAT(report.lost, ElementsAre(id_of("a")));
    EXPECT_EQ(report.trials, 5u);
    EXPECT_EQ(state_of(folder.path(), "a"), "ready");
    EXPECT_EQ(state_of(folder.path(), "b"), "failed");
  }
}

TEST(Rebuild, KeepsTheOldDatabaseWhereNumbersAreLost) {
  const TempFolder folder;
  fill(folder.path());
  TrialMaker diverged(folder.path(), "f");
  diverged.attempt(1, {start_event(1, 0), end_event("diverged")}).result(1, "diverged");
  EXPECT_THAT(rebuild(folder.path()).lost, IsEmpty());
  EXPECT_THAT(rebuild(folder.path()).lost, IsEmpty());
  EXPECT_THAT(database_leftovers(folder.path()), IsEmpty());
  std::string live;
  {
    Store store(folder.path(), Store::Access::write);
    live = dump_rows(store);
  }
  for (const char* name : {"a", "f"})
    std::filesystem::remove(trial_folder(folder.path(), id_of(name)) / "result.json");
  const RebuildReport report = rebuild(folder.path());
  EXPECT_THAT(report.lost, ElementsAre(id_of("a"), id_of("f")));
  EXPECT_EQ(report.moved_aside, folder / "rethink.db.damaged-1");
  EXPECT_EQ(state_of(folder.path(), "a"), "ready");
  Store old(report.moved_aside, Store::Access::read);
  EXPECT_EQ(dump_rows(old), live);
  EXPECT_THAT(rebuild(folder.path()).lost, IsEmpty());
}

/// Changes a byte on the first page of a table.
void damage_table(const std::filesystem::path& database, const std::string& table) {
  int page = 0;
  {
    SQLite::Database opened(database.string(), SQLite::OPEN_READONLY, 0, page_checksum_layer());
    page = opened.execAndGet("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
  }
  std::string bytes = read_file(database);
  bytes[static_cast<size_t>(page - 1) * 4096 + 2000] ^= 1;
  write_text(database, bytes);
}

TEST(Rebuild, NamesTheNumbersThatMendingADamagedDatabaseLoses) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  std::filesystem::remove(trial_folder(folder.path(), id_of("a")) / "result.json");
  damage_table(folder / "rethink.db", "progress");
  testing::internal::CaptureStderr();
  { Store(folder.path(), Store::Access::write); }
  EXPECT_THAT(
      testing::internal::GetCapturedStderr(),
      testing::HasSubstr(fmt::format("1 trial lost numbers: {}; the old database, which has these "
                                     "numbers, is now {}.damaged-1, which `{}` removes",
                                     id_of("a"), (folder / "rethink.db").string(),
                                     store_command("gc", folder.path()))));
}

TEST(Rebuild, BelievesNoResultThatItsEventsContradict) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  TrialMaker(folder.path(), "a").result(2, "done", {{"dev/loss", 2.0}});
  const RebuildReport report = rebuild(folder.path());
  EXPECT_THAT(report.damaged, ElementsAre(id_of("a")));
  EXPECT_THAT(report.lost, ElementsAre(id_of("a")));
  EXPECT_EQ(state_of(folder.path(), "a"), "ready");
}

TEST(Rebuild, PutsADatabaseAsideThatSqliteCannotRead) {
  const TempFolder folder;
  fill(folder.path());
  write_text(folder / "rethink.db", std::string(10000, 'x'));
  EXPECT_EQ(rebuild(folder.path()).moved_aside, folder / "rethink.db.damaged-1");
  EXPECT_EQ(state_of(folder.path(), "a"), "done");
}

TEST(Rebuild, LeavesEverythingAsItWasWhenItFails) {
  const TempFolder folder;
  fill(folder.path());
  const std::string damaged(10000, 'x');
  write_text(folder / "rethink.db", damaged);
  const TrialMaker a(folder.path(), "a", {{"steps", 10}});
  write_text(a.events(2), lines_of({{{"event", "start"}}}));  // lacks members
  EXPECT_THROW(rebuild(folder.path()), MachineError);
  EXPECT_EQ(read_file(folder / "rethink.db"), damaged);
  EXPECT_THAT(database_leftovers(folder.path()), IsEmpty());
}

TEST(Rebuild, TakesAnEmptyFileForNoDatabase) {
  const TempFolder folder;
  fill(folder.path());
  write_text(folder / "rethink.db", "");
  EXPECT_THAT([&] { Store(folder.path(), Store::Access::read); },
              ThrowsMessage<MachineError>(HasSubstr("`rethink db rebuild --store ")));
  EXPECT_EQ(rebuild(folder.path()).moved_aside, "");
  EXPECT_EQ(state_of(folder.path(), "a"), "done");
}

TEST(Rebuild, NamesWhatGcMayRemove) {
  const TempFolder folder;
  fill(folder.path());
  write_text(folder / "rethink.db", std::string(10000, 'x'));
  rebuild(folder.path());
  write_text(folder / ".rethink.db.123.tmp", "of a rebuild that was killed");
  EXPECT_THAT(database_leftovers(folder.path()),
              testing::UnorderedElementsAre(folder / "rethink.db.damaged-1",
                                            folder / ".rethink.db.123.tmp"));
}

TEST(Rebuild, WantsAStore) {
  const TempFolder folder;
  EXPECT_THAT([&] { rebuild(folder / "nowhere"); }, ThrowsCode("no-store"));
}

TEST(Rebuild, IgnoresEventsAfterTheEndOfAResult) {
  const TempFolder folder;
  fill(folder.path());
  const TrialMaker a(folder.path(), "a", {{"steps", 10}});
  write_text(a.events(2), read_file(a.events(2)) + "garbage\n");
  EXPECT_THAT(rebuild(folder.path()).damaged, IsEmpty());
  EXPECT_EQ(Store(folder.path(), Store::Access::read).trial(id_of("a"))->state, TrialState::done);
}

TEST(Snapshot, NamesItsFileWhereItCannotBeMade) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  EXPECT_THAT([&] { snapshot(folder.path(), folder / "nowhere" / "s.db"); },
              ThrowsMessage<MachineError>(
                  testing::StartsWith((folder / "nowhere" / "s.db").string() + ": cannot create")));
}

}  // namespace
}  // namespace rethink
