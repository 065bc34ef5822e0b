#include "results/rebuild.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

/// A done trial, one that needs it and failed after two attempts, one blocked by that, one given
/// up, one not started.
void fill(const std::filesystem::path& store) {
  TrialMaker(store, "a", {{"steps", 10}})
      .attempt(1, {start_event(1, 0), metric_event("loss", 5, 3),
                   measurement_event("steps_per_s", 5, 99)})
      .ended(1, {{"outcome", "killed"}, {"message", "signal 9"}, {"status", 9}})
      .attempt(2, {start_event(2, 5), metric_event("loss", 10, 1), end_event("done")})
      .result(2, "done", {{"dev/loss", 1.0}});
  TrialMaker b(store, "b", {{"steps", 20}});
  b.needs("init", {id_of("a")}).attempt(1, {start_event(1, 0), end_event("failed")});
  write_trial_state(b.folder(), "failed", "no data");
  TrialMaker(store, "c").needs("init", {id_of("b")});
  TrialMaker(store, "d");
  TrialMaker(store, "e").needs("init", {id_of("a")});
  write_sweep_file(store,
                   {"paper/masks",
                    "",
                    "",
                    "masks.yaml",
                    {{id_of("a"), "train", "", {{"arm", "Star"}}}, {id_of("d"), "train", "", {}}},
                    {id_of("d")}});
}

std::string state_of(const std::filesystem::path& store, const std::string& name) {
  return Store(store, Store::Access::read).trial(id_of(name))->state;
}

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
                      "waiting");
    }
    store.commit();
    for (const std::string name : {"a", "b"})
      store.ingest(trial_folder(folder.path(), id_of(name)));
    store.set_state(id_of("a"), "done");
    store.set_state(id_of("b"), "failed", "no data");
    store.set_state(id_of("c"), "blocked");
    store.set_state(id_of("d"), "cancelled");
    store.set_state(id_of("e"), "ready");
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
    store.ingest(trial.folder());
    trial.attempt(2, {start_event(2, 0), metric_event("loss", 5, 3)})
        .ended(2, {{"outcome", "killed"}});
    store.ingest(trial.folder());
    trial.attempt(3, {start_event(3, 0), metric_event("loss", 5, 3),
                      measurement_event("attempt_s", 0, 2), end_event("done")});
    store.ingest(trial.folder());
    trial.result(3);
    store.set_state(trial.id(), "done");
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

TEST(Rebuild, GoesOnWhenAFileOfTheDriverIsDamaged) {
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
    EXPECT_EQ(store.trial(failed.id())->state, "failed");
    EXPECT_THAT(store.trial(failed.id())->message, HasSubstr("its state.json is damaged"));
  }
}

TEST(Rebuild, GoesOnWhenTheResultOfATrialIsDamaged) {
  for (const char* damaged : {"", "{\"outcome\": \"do", "[]", "{\"outcome\": \"done\"}"}) {
    const TempFolder folder;
    fill(folder.path());
    const std::filesystem::path result = trial_folder(folder.path(), id_of("a")) / "result.json";
    rebuild(folder.path());
    write_text(result, damaged);
    EXPECT_THAT(check_store(folder.path(), /*hashes=*/false),
                ElementsAre("trial " + id_of("a") + ": " + result.string() + " is damaged"));
    const RebuildReport report = rebuild(folder.path());
    EXPECT_THAT(report.damaged, ElementsAre(id_of("a")));
    EXPECT_EQ(report.trials, 5u);
    EXPECT_EQ(state_of(folder.path(), "a"), "ready");
    EXPECT_EQ(state_of(folder.path(), "b"), "failed");
  }
}

TEST(Rebuild, PutsADatabaseAsideThatSqliteCannotRead) {
  const TempFolder folder;
  fill(folder.path());
  write_text(folder / "rethink.db", std::string(10000, 'x'));
  EXPECT_EQ(rebuild(folder.path()).moved_aside, folder / "rethink.db.damaged-1");
  EXPECT_EQ(state_of(folder.path(), "a"), "done");
}

TEST(Rebuild, WantsAStore) {
  const TempFolder folder;
  EXPECT_THAT([&] { rebuild(folder / "nowhere"); },
              ThrowsMessage<ConfigError>(HasSubstr("there is no store here")));
}

TEST(CheckStore, FindsNothingWrongInAWholeStore) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true), IsEmpty());
}

TEST(CheckStore, NamesWhatDiffersBetweenRowsAndFolders) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  std::filesystem::remove(trial_folder(folder.path(), id_of("a")) / "result.json");
  std::filesystem::remove_all(trial_folder(folder.path(), id_of("e")));
  TrialMaker(folder.path(), "f");
  TrialMaker(folder.path(), "b", {{"steps", 20}}).attempt(1, {}).attempt(2, {});
  const std::vector<std::string> problems = check_store(folder.path(), /*hashes=*/false);
  const std::string all = joined(problems, "\n");
  EXPECT_THAT(
      all, HasSubstr("trial " + id_of("a") + ": is done in the database and has no result.json"));
  EXPECT_THAT(all, HasSubstr("trial " + id_of("e") + ": has rows but no folder"));
  EXPECT_THAT(all, HasSubstr("trial " + id_of("f") + ": has a folder but no rows"));
  EXPECT_THAT(all, HasSubstr("is shorter than what was read of it"));
  EXPECT_THAT(all,
              HasSubstr("trial " + id_of("b") + ": has attempts that are not in the database"));
}

TEST(CheckStore, SeesWhatWasAddedAfterTheLastEvent) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const TrialMaker a(folder.path(), "a", {{"steps", 10}});
  write_text(a.events(2), read_file(a.events(2)) + "garbage");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false),
              ElementsAre(HasSubstr("has 7 bytes after the last event")));
}

TEST(Rebuild, IgnoresWhatStandsBehindTheLastEventOfAResult) {
  const TempFolder folder;
  fill(folder.path());
  const TrialMaker a(folder.path(), "a", {{"steps", 10}});
  write_text(a.events(2), read_file(a.events(2)) + "garbage\n");
  EXPECT_THAT(rebuild(folder.path()).damaged, IsEmpty());
  EXPECT_EQ(Store(folder.path(), Store::Access::read).trial(id_of("a"))->state, "done");
}

TEST(CheckStore, SeesEventsThatNobodyRead) {
  const TempFolder folder;
  fill(folder.path());
  rebuild(folder.path());
  const TrialMaker b(folder.path(), "b", {{"steps", 20}});
  write_text(b.events(1), read_file(b.events(1)) + "unfinished");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false), IsEmpty());
  write_text(b.events(1), read_file(b.events(1)) + "\n");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false),
              ElementsAre(HasSubstr("that are not in the database")));
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
  EXPECT_THAT(
      check_store(folder.path(), /*hashes=*/true),
      ElementsAre(HasSubstr(fmt::format(
          "attempt-2/events.jsonl was damaged after byte {} since it was read", second_line))));
}

/// A done trial that has one artifact, "abc".
TrialMaker with_artifact(const std::filesystem::path& store) {
  TrialMaker trial(store, "a");
  trial
      .attempt(1, {start_event(1, 0),
                   {{"event", "artifact"},
                    {"name", "weights"},
                    {"kind", "weights"},
                    {"file", "artifacts/w"},
                    {"sha256", "0000"},
                    {"bytes", 3}}})
      .result(1);
  write_text(trial.folder() / "artifacts" / "w", "abc");
  return trial;
}

TEST(CheckStore, MissesAnArtifactUnlessNoSweepHasTheTrial) {
  const TempFolder folder;
  const TrialMaker trial = with_artifact(folder.path());
  std::filesystem::remove(trial.folder() / "artifacts" / "w");
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false), IsEmpty());
  write_sweep_file(folder.path(), {"s", "", "", "s.yaml", {{trial.id(), "train", "", {}}}, {}});
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false),
              ElementsAre(HasSubstr("artifacts/w is gone")));
}

TEST(CheckStore, ComparesArtifactsWithTheirHash) {
  const TempFolder folder;
  const TrialMaker trial = with_artifact(folder.path());
  rebuild(folder.path());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false), IsEmpty());
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/true),
              ElementsAre(HasSubstr("another SHA-256")));
  write_text(trial.folder() / "artifacts" / "w", "abcd");
  EXPECT_THAT(check_store(folder.path(), /*hashes=*/false), ElementsAre(HasSubstr("another size")));
}

TEST(Merge, BringsDoneTrialsAndTheirSweepsIn) {
  const TempFolder folder;
  fill(folder / "theirs");
  TrialMaker(folder / "ours", "a").attempt(1, {start_event(1, 0)});
  TrialMaker(folder / "ours", "z");
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.added, 1u);
  EXPECT_EQ(report.unfinished, 4u);
  EXPECT_EQ(report.sweeps, 1u);
  EXPECT_EQ(state_of(folder / "ours", "a"), "done");
  EXPECT_EQ(state_of(folder / "ours", "z"), "ready");
  EXPECT_EQ(curve_of(Store(folder / "ours", Store::Access::read), id_of("a")), "5:3 10:1");
  const Sweep sweep = read_sweep(folder / "ours", "paper/masks", "").value();
  ASSERT_EQ(sweep.members.size(), 1u);  // d never ran: there is nothing of it to bring
  EXPECT_EQ(sweep.members[0].trial, id_of("a"));
  EXPECT_THAT(sweep.files[0].choice, testing::StartsWith("merged from "));
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").sweeps, 0u);
  EXPECT_THAT(check_store(folder / "ours", /*hashes=*/true), IsEmpty());
}

TEST(Merge, PutsTheRowsOfTheirTrialInThePlaceOfOurs) {
  const TempFolder folder;
  fill(folder / "theirs");
  TrialMaker(folder / "ours", "a", {{"steps", 10}})
      .attempt(1, {start_event(1, 0), metric_event("other", 1, 7), metric_event("loss", 2, 9)})
      .attempt(2, {start_event(2, 0)})
      .attempt(3, {start_event(3, 0)});
  rebuild(folder / "ours");
  merge_store(folder / "theirs", folder / "ours");
  const Store ours(folder / "ours", Store::Access::read);
  EXPECT_EQ(curve_of(ours, id_of("a")), "5:3 10:1");
  EXPECT_EQ(curve_of(ours, id_of("a"), "other"), "");
  EXPECT_EQ(ours.attempts(id_of("a")).size(), 2u);
  EXPECT_THAT(check_store(folder / "ours", /*hashes=*/true), IsEmpty());
}

TEST(Merge, LeavesWhatIsDoneInBothAndNamesWhatDiffers) {
  const TempFolder folder;
  fill(folder / "theirs");
  fill(folder / "ours");
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").different, IsEmpty());
  const TrialMaker ours(folder / "ours", "a", {{"steps", 10}});
  write_text(ours.folder() / "result.json", Json{{"outcome", "done"},
                                                 {"attempt", 2},
                                                 {"events", 1},
                                                 {"metrics", {{"dev/loss", 7.0}}},
                                                 {"artifacts", Json::array()}}
                                                .dump());
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.known, 1u);
  EXPECT_THAT(report.different, ElementsAre(id_of("a")));
}

TEST(Merge, RefusesTheStoreItselfAndWhatIsNone) {
  const TempFolder folder;
  fill(folder.path());
  EXPECT_THAT([&] { merge_store(folder.path(), folder.path()); },
              ThrowsMessage<ConfigError>(HasSubstr("itself")));
  EXPECT_THAT([&] { merge_store(folder / "nowhere", folder.path()); },
              ThrowsMessage<ConfigError>(HasSubstr("there is no store here")));
}

}  // namespace
}  // namespace rethink
