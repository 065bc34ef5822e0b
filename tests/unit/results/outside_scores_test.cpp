// Scores from outside are written first to the trial's folder, then to every row made of it.
#include "results/folders/outside_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/file.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "results/database/database_place.h"
#include "results/records/trial_records.h"
#include "results/store/ingest.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "results/upkeep/merge.h"
#include "tests/unit/results/filled_store.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

OutsideScore score_of(const std::string& name, double value, const std::string& at = "1") {
  return {name, value, "gluebenchmark.com", "2026-11-20", at};
}

std::string rows_of(const std::filesystem::path& store) {
  Store opened(store, Store::Access::read);
  return dump_rows(opened);
}

/// Returns the metrics of the split, such as "test 52.5, ...".
std::vector<std::string> imported(const std::filesystem::path& store, const std::string& trial) {
  Store opened(store, Store::Access::read);
  SQLite::Statement rows(
      opened.database(),
      "SELECT name || ' ' || value FROM metric WHERE trial = ? AND split = 'imported' ORDER BY 1");
  rows.bind(1, trial);
  std::vector<std::string> found;
  while (rows.executeStep()) found.push_back(rows.getColumn(0));
  return found;
}

class OutsideScores : public testing::Test {
 protected:
  OutsideScores() {
    fill(store_);
    rebuild(store_);
  }
  /// Writes the scores to trial a's folder and to its rows.
  void put(const std::vector<OutsideScore>& scores) {
    write_outside_scores(a_, scores);
    Store store(store_, Store::Access::write);
    put_outside_scores(store, a_);
  }

  const TempFolder folder_;
  const std::filesystem::path store_ = folder_ / "store", a_ = trial_folder(store_, id_of("a"));
};

TEST_F(OutsideScores, OfOneNameTheLastHolds) {
  put({score_of("test", 52.5), score_of("diagnostic", 30), score_of("test", 53.25, "2")});
  EXPECT_THAT(imported(store_, id_of("a")), ElementsAre("diagnostic 30.0", "test 53.25"));
  Store store(store_, Store::Access::read);
  SQLite::Statement events(store.database(),
                           "SELECT text FROM event WHERE attempt = 0 AND line = 3");
  ASSERT_TRUE(events.executeStep());
  EXPECT_EQ(events.getColumn(0).getString(), "test 53.25 from gluebenchmark.com, 2026-11-20");
  put({score_of("test", 1)});
  EXPECT_THAT(imported(store_, id_of("a")), ElementsAre("test 1.0"));
}

TEST_F(OutsideScores, ComeBackWhenTheDatabaseIsDeleted) {
  put({score_of("test", 52.5), score_of("test", 53.25, "2")});
  const std::string before = rows_of(store_);
  for (const char* part : {"", "-wal", "-shm"})
    std::filesystem::remove(database_path(store_).string() + part);
  rebuild(store_);
  EXPECT_EQ(rows_of(store_), before);
  EXPECT_THAT(check_store(store_, /*hashes=*/true).problems, IsEmpty());
}

TEST_F(OutsideScores, StayWhenTheTrialIsMadeAgain) {
  put({score_of("test", 52.5)});
  Store store(store_, Store::Access::write);
  const auto attempt = [&](int64_t number, const std::vector<Json>& events) {
    write_text(a_ / fmt::format("attempt-{}", number) / "events.jsonl", lines_of(events));
    ingest_events(store, a_);
    EXPECT_THAT(imported(store_, id_of("a")), ElementsAre("test 52.5")) << number;
  };
  attempt(3, {start_event(3, 0), metric_event("loss", 10, 1), end_event("done")});
  attempt(2, {start_event(2, 5)});  // shorter than what was read: all is read again
}

TEST_F(OutsideScores, AreLeftOutWhereTheirFileIsDamagedAndNamedByTheCheck) {
  put({score_of("test", 52.5)});
  Json json = read_json(a_ / kScoresFile);
  json["scores"][0]["value"] = 99.5;
  for (const std::string& text : {json.dump(), std::string("{\"scores\": 5}"), std::string("{")}) {
    write_text(a_ / kScoresFile, text);
    EXPECT_FALSE(read_outside_scores(a_));
    EXPECT_THAT(check_store(store_, false).problems,
                ElementsAre(HasSubstr("scores.json is damaged; remove it, and import")));
    testing::internal::CaptureStderr();
    rebuild(store_);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("scores.json is damaged"));
    EXPECT_THAT(imported(store_, id_of("a")), IsEmpty());
  }
}

TEST_F(OutsideScores, AreMergedAndDoNotCountAsDifferentMetrics) {
  const std::filesystem::path other = folder_ / "other";
  put({score_of("test", 52.5, "2")});
  EXPECT_EQ(merge_store(store_, other).added, 1u);
  EXPECT_THAT(imported(other, id_of("a")), ElementsAre("test 52.5"));

  // Later scores are merged, too, and in both stores the last import is valid.
  const std::filesystem::path theirs = trial_folder(other, id_of("a"));
  write_outside_scores(theirs, {score_of("test", 40, "1"), score_of("diagnostic", 3, "1")});
  const MergeReport report = merge_store(other, store_);
  EXPECT_THAT(report.different, IsEmpty());
  EXPECT_EQ(report.known, 1u);
  EXPECT_THAT(imported(store_, id_of("a")), ElementsAre("diagnostic 3.0", "test 52.5"));
  EXPECT_EQ(read_outside_scores(a_)->size(), 3u);
  EXPECT_THAT(check_store(store_, /*hashes=*/true).problems, IsEmpty());

  write_text(theirs / kScoresFile, "{");
  EXPECT_THAT(merge_store(other, store_).damaged, ElementsAre(HasSubstr("scores.json is damaged")));
}

TEST_F(OutsideScores, AreInRecordsWithTheirSource) {
  put({score_of("test", 52.5), {"test", 53.5, "somebody", "2027-01-02", "2"}});
  Store store(store_, Store::Access::read);
  WantedValues wanted;
  wanted.metrics = {{kImportedSplit, "test"}};
  const TrialRecord record = read_trial_records(store, store_, {id_of("a")}, wanted).at(id_of("a"));
  EXPECT_THAT(record.values, ElementsAre(Pair("imported/test", 53.5)));
  EXPECT_THAT(record.sources, ElementsAre(Pair("imported/test", "somebody, 2027-01-02")));
}

}  // namespace
}  // namespace rethink
