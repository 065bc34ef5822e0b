#include "results/upkeep/merge.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "results/folders/outside_scores.h"
#include "results/folders/trials_in_transit.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "tests/support/throws_code.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Merge, BringsDoneTrialsAndTheirSweepsIn) {
  const TempFolder folder;
  fill(folder / "theirs");
  TrialMaker(folder / "ours", "a").attempt(1, {start_event(1, 0)});
  TrialMaker(folder / "ours", "f");
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.added, 1u);
  EXPECT_EQ(report.unfinished, 4u);
  EXPECT_EQ(report.sweeps, 1u);
  EXPECT_EQ(state_of(folder / "ours", "a"), "done");
  EXPECT_EQ(state_of(folder / "ours", "f"), "ready");
  EXPECT_EQ(curve_of(Store(folder / "ours", Store::Access::read), id_of("a")), "5:3 10:1");
  const Sweep sweep = read_sweep(folder / "ours", "paper/masks", "").value();
  ASSERT_EQ(sweep.members.size(), 1u);  // d never ran, so there is nothing to merge
  EXPECT_EQ(sweep.members[0].trial, id_of("a"));
  EXPECT_THAT(sweep.files[0].choice, testing::StartsWith("merged from "));
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").sweeps, 0u);
  EXPECT_THAT(check_store(folder / "ours", /*hashes=*/true).problems, IsEmpty());
}

TEST(Merge, CopiesCodeWithItsLinksExceptLinksThatLeadOut) {
  const TempFolder folder;
  fill(folder / "theirs");
  write_text(folder / "theirs/code/good/source/model.py", "1");
  std::filesystem::create_directory_symlink("source", folder / "theirs/code/good/package");
  write_text(folder / "theirs/code/bad/train.py", "1");
  std::filesystem::create_symlink("../../../secret", folder / "theirs/code/bad/model.py");
  write_text(folder / "secret", "2");
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(std::filesystem::read_symlink(folder / "ours/code/good/package"), "source");
  EXPECT_EQ(read_text(folder / "ours/code/good/package/model.py"), "1");
  EXPECT_THAT(report.damaged, ElementsAre(HasSubstr("code/bad/model.py: is a link")));
  EXPECT_FALSE(std::filesystem::exists(folder / "ours/code/bad"));
  EXPECT_FALSE(std::filesystem::exists(folder / "ours/code/.bad"));
}

/// Both stores have the trial, with different labels. If labels were not merged, a group of --by would be missing.
TEST(Merge, BringsOtherLabelsOfATrialThatIsKnown) {
  const TempFolder folder;
  fill(folder / "theirs");
  merge_store(folder / "theirs", folder / "ours");
  SweepFile other = read_sweep(folder / "theirs", "paper/masks", "").value().files.at(0);
  other.members.at(0).labels["arm"] = "other";
  write_sweep_file(folder / "theirs", other);
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").sweeps, 1u);
  const Sweep sweep = read_sweep(folder / "ours", "paper/masks", "").value();
  ASSERT_EQ(sweep.members.size(), 2u);
  EXPECT_EQ(sweep.members[0].trial, sweep.members[1].trial);
  EXPECT_NE(sweep.members[0].labels, sweep.members[1].labels);
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").sweeps, 0u);
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
  EXPECT_THAT(check_store(folder / "ours", /*hashes=*/true).problems, IsEmpty());
}

/// Removes from "ours", whose database calls the trial done, a file that its result needs.
void lose(const TempFolder& folder, const std::string& file) {
  std::filesystem::remove_all(trial_folder(folder / "ours", id_of("a")) / file);
}

TEST(Merge, BringsTheRowsOfATrialThatIsDoneInTheDatabaseAlone) {
  for (const char* file : {"", "result.json"}) {
    const TempFolder folder;
    fill(folder / "theirs");
    fill(folder / "ours");
    rebuild(folder / "ours");
    ASSERT_EQ(state_of(folder / "ours", "a"), "done");
    lose(folder, file);
    EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").added, 1u) << file;
    const Store ours(folder / "ours", Store::Access::read);
    EXPECT_EQ(curve_of(ours, id_of("a")), "5:3 10:1") << file;
    EXPECT_EQ(state_of(folder / "ours", "a"), "done") << file;
    EXPECT_THAT(check_store(folder / "ours", /*hashes=*/true).problems, IsEmpty()) << file;
  }
}

TEST(Merge, KeepsTheScoresThatWereImportedHere) {
  const TempFolder folder;
  for (const char* store : {"theirs", "ours"}) fill(folder / store);
  const std::filesystem::path ours = trial_folder(folder / "ours", id_of("a"));
  write_outside_scores(ours, {{"test", 66.9, "server", "2026-11-20", "2026-11-20T10:00:00Z"}});
  lose(folder, "result.json");
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").added, 1u);
  EXPECT_EQ(newest_scores(*read_outside_scores(ours)).at("test").value, 66.9);
  const Store store(folder / "ours", Store::Access::read);
  EXPECT_EQ(store.last_values({id_of("a")}, "imported", "test").at(id_of("a")), 66.9);
}

TEST(Merge, TakesNoTrialWhoseScoresHereCannotBeRead) {
  const TempFolder folder;
  for (const char* store : {"theirs", "ours"}) fill(folder / store);
  const std::filesystem::path scores = trial_folder(folder / "ours", id_of("a")) / "scores.json";
  write_text(scores, "{");
  lose(folder, "result.json");
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").damaged,
              ElementsAre(HasSubstr(scores.string() + " is damaged")));
  EXPECT_TRUE(std::filesystem::exists(scores));
}

TEST(Merge, KeepsTrialsDoneInBothAndNamesDifferences) {
  const TempFolder folder;
  fill(folder / "theirs");
  fill(folder / "ours");
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").different, IsEmpty());
  const TrialMaker ours(folder / "ours", "a", {{"steps", 10}});
  write_text(ours.folder() / "result.json", stored_text({{"trial", ours.id()},
                                                         {"seed", 0},
                                                         {"outcome", "done"},
                                                         {"attempt", 2},
                                                         {"events", 1},
                                                         {"metrics", {{"dev/loss", 7.0}}},
                                                         {"artifacts", Json::array()}}));
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.known, 1u);
  EXPECT_THAT(report.different, ElementsAre(id_of("a")));
}

TEST(Merge, ReadsWhatAWorkerHereWroteAfterItsDriverEnded) {
  const TempFolder here, there;
  for (const TempFolder* folder : {&here, &there}) {
    TrialMaker trial(folder->path(), "a");
    trial.attempt(1, {start_event(1, 0)});
    rebuild(folder->path());
    const std::string at = folder == &here ? "2026-11-27T01:00:00Z" : "2026-11-27T02:00:00Z";
    Json end = end_event("done");
    end["at"] = at;
    trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3), end}).result(1);
  }
  const MergeReport merged = merge_store(there.path(), here.path());
  EXPECT_EQ(merged.known, 1u);
  EXPECT_THAT(merged.different, IsEmpty());
}

TEST(Merge, NamesATrialWhoseResultIsNotWhatItsEventsSay) {
  const TempFolder folder;
  fill(folder / "theirs");
  fill(folder / "ours");
  TrialMaker(folder / "theirs", "a", {{"steps", 10}})
      .attempt(2, {start_event(2, 5), metric_event("loss", 10, 4), end_event("done")})
      .result(2, "done", {{"dev/loss", 1.0}});
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").damaged,
              ElementsAre(testing::HasSubstr("metrics: not what its events say")));
  EXPECT_EQ(curve_of(Store(folder / "ours", Store::Access::read), id_of("a")), "5:3 10:1");
}

TEST(Merge, NamesAnImportedScoreThatALaterImportReplaces) {
  const TempFolder folder;
  for (const char* store : {"theirs", "ours"}) fill(folder / store);
  const auto import_score = [&](const char* store, double value, const std::string& at) {
    write_outside_scores(trial_folder(folder / store, id_of("a")),
                         {{"test", value, "server", "2026-11-20", at}});
  };
  import_score("ours", 66.9, "2026-11-20T10:00:00Z");
  import_score("theirs", 70, "2026-11-21T10:00:00Z");
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").replaced,
              ElementsAre(HasSubstr("the imported score test is now 70 (server, 2026-11-20), was "
                                    "66.9 (server, 2026-11-20)")));
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").replaced, IsEmpty());
}

TEST(Merge, TakesNoTrialWhoseRecordsAreDamaged) {
  for (const char* name : {"trial.json", "result.json", "attempt-2/events.jsonl"}) {
    const TempFolder folder;
    fill(folder / "theirs");
    const std::filesystem::path file = trial_folder(folder / "theirs", id_of("a")) / name;
    write_text(file, "{\n" + read_file(file));
    const MergeReport report = merge_store(folder / "theirs", folder / "ours");
    EXPECT_EQ(report.added, 0u);
    EXPECT_EQ(report.unfinished, 4u);
    EXPECT_THAT(report.damaged,
                ElementsAre("trial " + id_of("a") + ": " + file.string() + " is damaged"));
    EXPECT_FALSE(std::filesystem::exists(trial_folder(folder / "ours", id_of("a"))));
  }
}

TEST(Merge, TakesNoTrialWhoseTrialJsonWasChanged) {
  const TempFolder folder;
  fill(folder / "theirs");
  const std::filesystem::path file = trial_folder(folder / "theirs", id_of("a")) / "trial.json";
  Json json = with_checksum(read_json(file));
  json["seed"] = 5;
  write_text(file, json.dump());
  EXPECT_THAT(merge_store(folder / "theirs", folder / "ours").damaged,
              ElementsAre("trial " + id_of("a") + ": " + file.string() + " is damaged"));
  json["seed"] = 0;
  write_text(file, json.dump());
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").added, 1u);
}

TEST(Merge, NamesATrialThatIsDoneHereAndDamagedThere) {
  const TempFolder folder;
  fill(folder / "theirs");
  fill(folder / "ours");
  EXPECT_EQ(merge_store(folder / "theirs", folder / "ours").known, 1u);
  const std::filesystem::path events =
      trial_folder(folder / "theirs", id_of("a")) / "attempt-2" / "events.jsonl";
  std::string text = read_file(events);
  text[text.size() / 2] ^= 1;
  write_text(events, text);
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.known, 0u);
  EXPECT_THAT(report.damaged,
              ElementsAre("trial " + id_of("a") + ": " + events.string() + " is damaged"));
}

TEST(Merge, RefusesTrialsWithChangedFiles) {
  const TempFolder folder;
  TrialMaker trial = with_artifact(folder / "theirs");
  Json result = trial.result_json();
  result["artifacts"] = {{{"name", "weights"},
                          {"kind", "weights"},
                          {"file", "artifacts/w"},
                          {"sha256", std::string(64, '0')},
                          {"bytes", 3},
                          {"facts", Json::object()}}};
  trial.set_result(result);
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.added, 0u);
  EXPECT_THAT(report.damaged, ElementsAre(HasSubstr("artifacts/w has another SHA-256")));
  EXPECT_THAT(trials_in(folder / "ours"), IsEmpty());
  EXPECT_THAT(merge_leftovers(folder / "ours"), IsEmpty());
}

TEST(Merge, LeavesTrialsOfADamagedSweepWhereTheyAre) {
  const TempFolder folder;
  fill(folder / "theirs");
  for (const SweepFile& file : read_sweep_files(folder / "theirs")) write_text(file.path, "{");
  const MergeReport report = merge_store(folder / "theirs", folder / "ours");
  EXPECT_EQ(report.added, 0u);
  EXPECT_THAT(report.damaged, ElementsAre(HasSubstr("trials that no other sweep there has")));
}

TEST(Merge, RefusesTheStoreItselfAndOtherFolders) {
  const TempFolder folder;
  fill(folder.path());
  EXPECT_THAT([&] { merge_store(folder.path(), folder.path()); },
              ThrowsMessage<ConfigError>(HasSubstr("itself")));
  EXPECT_THAT([&] { merge_store(folder / "nowhere", folder.path()); }, ThrowsCode("no-store"));
}

}  // namespace
}  // namespace rethink
