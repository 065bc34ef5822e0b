#include "results/store/ingest.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A store whose database was made before the trial's folder had any attempt.
class IngestTest : public testing::Test {
 protected:
  const TempFolder folder;
  TrialMaker trial{folder.path(), "a"};
  Store store{folder.path(), Store::Access::write};

  int64_t count(const std::string& what) {
    return store.database().execAndGet("SELECT count(*) FROM " + what).getInt64();
  }
};

const std::vector<Json> kWholeRun = {
    start_event(1, 0),
    metric_event("loss", 5, 2.5),
    measurement_event("steps_per_s", 5, 100),
    {{"event", "tick"}, {"step", 6}, {"of", 10}, {"loss", 2.25}},
    {{"event", "environment"}, {"attention", "library"}},
    {{"event", "checkpoint"}, {"step", 6}},
    metric_event("loss", 10, 0.1),
    {{"event", "message"}, {"level", "warning"}, {"text", "slow disk"}},
    measurement_event("attempt_s", 1, 12.5),
    end_event("done")};

TEST_F(IngestTest, MakesRowsOfAllKindsOfEvents) {
  trial.attempt(1, kWholeRun);
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(curve_of(store, trial.id()), "5:2.5 10:0.1");
  EXPECT_EQ(store.measurements(trial.id()).at("steps_per_s"), 100);
  EXPECT_EQ(count("message WHERE level = 'warning' AND text = 'slow disk'"), 1);
  EXPECT_EQ(count("environment WHERE name = 'device' AND value = 'cpu'"), 1);
  EXPECT_EQ(count("environment WHERE name = 'attention' AND value = 'library'"), 1);
  EXPECT_EQ(count("attempt WHERE outcome = 'done' AND seconds = 12.5 AND resume_step = 0"), 1);
  EXPECT_EQ(count("runs WHERE attempts = 1 AND seconds = 12.5"), 1);
  EXPECT_EQ(store.attempts(trial.id()).at(0).facts["threads"], 1);
}

TEST_F(IngestTest, KeepsTheNewestTickAsProgress) {
  EXPECT_FALSE(store.progress(trial.id()));
  trial.attempt(
      1, {start_event(1, 0),
          {{"event", "tick"}, {"step", 1}, {"of", 10}, {"loss", 9.0}},
          {{"event", "tick"}, {"step", 7}, {"of", 10}, {"loss", "nan"}, {"steps_per_s", 3.5}}});
  ingest_events(store, trial.folder());
  const std::optional<TrialProgress> progress = store.progress(trial.id());
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->step, 7);
  EXPECT_EQ(progress->of, 10);
  EXPECT_FALSE(progress->loss);
  EXPECT_EQ(progress->steps_per_s, 3.5);
}

TEST_F(IngestTest, MakesArtifactRowsThatALaterAttemptReplaces) {
  const Json weights = {{"event", "artifact"},
                        {"name", "weights"},
                        {"kind", "weights"},
                        {"sha256", "ab"},
                        {"bytes", 7},
                        {"file", "artifacts/w"},
                        {"facts", {{"sparsity", 96.1}}}};
  trial.attempt(1, {start_event(1, 0), weights});
  ingest_events(store, trial.folder());
  EXPECT_EQ(count("artifact WHERE path = 'artifacts/w' AND bytes = 7 AND json_extract(facts, "
                  "'$.sparsity') = 96.1"),
            1);
  trial.attempt(2, {start_event(2, 5)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(count("artifact"), 0);
}

TEST_F(IngestTest, CountsEachLineOnceWhereverTheFileIsCut) {
  const std::string text = lines_of(kWholeRun);
  trial.attempt(1, kWholeRun);
  ingest_events(store, trial.folder());
  const std::string whole = dump_rows(store);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    store.begin();
    store.clear();
    store.put_trial(trial.json(), TrialState::ready);
    store.commit();
    write_text(trial.events(1), text.substr(0, cut));
    EXPECT_TRUE(ingest_events(store, trial.folder())) << cut;
    write_text(trial.events(1), text);
    EXPECT_TRUE(ingest_events(store, trial.folder())) << cut;
    EXPECT_EQ(dump_rows(store), whole) << cut;
  }
}

TEST_F(IngestTest, DropsRowsAboveTheStepThatALaterAttemptResumesFrom) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 4, 4), metric_event("loss", 5, 3.5),
                    metric_event("loss", 6, 3), measurement_event("steps_per_s", 6, 10)});
  ingest_events(store, trial.folder());
  trial.attempt(2, {start_event(2, 5), metric_event("loss", 8, 2)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "4:4 5:3.5 8:2");
  EXPECT_TRUE(store.measurements(trial.id()).empty());
}

/// The start event of an attempt that continues behind these events of attempt `on`.
Json start_behind(int64_t attempt, int64_t on, int64_t step, const std::vector<Json>& events) {
  Json start = start_event(attempt, step);
  start["rests_on"] = {{"attempt", on}, {"offset", lines_of(events).size()}, {"drops_later", true}};
  return start;
}

TEST_F(IngestTest, DropsWhatCameAfterTheCheckpointWhateverItsStep) {
  const std::vector<Json> first = {start_event(1, 0), metric_event("loss", 9, 4),
                                   metric_event("loss", 1, 3.5),
                                   measurement_event("parameters", 9, 7)};
  std::vector<Json> all = first;
  for (const Json& later :
       {metric_event("loss", 1, 77), metric_event("loss", 2, 77), metric_event("late", 1, 77),
        measurement_event("parameters", 9, 77), measurement_event("peak_memory_bytes", 0, 8)})
    all.push_back(later);
  trial.attempt(1, all);
  ingest_events(store, trial.folder());
  const std::vector<Json> second = {start_behind(2, 1, 5, first), metric_event("loss", 6, 2)};
  all = second;
  all.push_back(metric_event("loss", 3, 77));
  trial.attempt(2, all);
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "1:3.5 3:77 6:2 9:4");
  EXPECT_EQ(curve_of(store, trial.id(), "late"), "");
  EXPECT_EQ(store.measurements(trial.id()).at("parameters"), 7);
  EXPECT_EQ(store.measurements(trial.id()).at("peak_memory_bytes"), 8);
  // Attempt 3 ended before it began; attempt 4 passes over the checkpoint behind which attempt 2 wrote.
  trial.attempt(3, {not_begun(3), end_event("failed")});
  trial.attempt(4, {start_behind(4, 2, 6, second), metric_event("loss", 7, 1), end_event("done")});
  trial.result(4);
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "1:3.5 6:2 7:1 9:4");
  EXPECT_EQ(trial.result_json().at("metrics"), (Json{{"dev/loss", 4}}));
}

/// Attempts of version 0.2.0 recorded the position too, but their rows were dropped by step.
TEST_F(IngestTest, KeepsTheRowsOfAnOlderVersionByStep) {
  const std::vector<Json> first = {start_event(1, 0), metric_event("loss", 4, 4)};
  trial.attempt(1, {first[0], first[1], metric_event("loss", 5, 3), metric_event("loss", 6, 2)});
  Json start = start_behind(2, 1, 5, first);
  start["rests_on"].erase("drops_later");
  trial.attempt(2, {start, metric_event("loss", 7, 1)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "4:4 5:3 7:1");
  EXPECT_EQ(summarize_events(trial.folder(), 1).metrics, (Json{{"dev/loss", 2}}));
}

TEST_F(IngestTest, DropsEverythingWhenALaterAttemptStartsFromTheBeginning) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 0, 9), metric_event("loss", 5, 3.5)});
  trial.attempt(2, {start_event(2, 0), metric_event("loss", 5, 3.5)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "5:3.5");
}

TEST_F(IngestTest, KeepsRowsWhenALaterAttemptEndsBeforeItBegins) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 1, 4), metric_event("loss", 2, 3.5)});
  trial.attempt(2, {not_begun(2), end_event("failed")});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "1:4 2:3.5");
  EXPECT_EQ(count("attempt WHERE number = 2 AND resume_step IS NULL AND outcome = 'failed'"), 1);
  trial.attempt(3, {not_begun(3),
                    {{"event", "message"}, {"level", "info"}, {"text", "hello"}},
                    start_event(3, 1),
                    metric_event("loss", 2, 3)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "1:4 2:3");
  EXPECT_EQ(count("attempt WHERE number = 3 AND resume_step = 1"), 1);
}

TEST_F(IngestTest, ReplacesARepeatedMetric) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 1.0), metric_event("loss", 5, 2.0)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "5:2");
}

TEST_F(IngestTest, KeepsNumbersThatAreNotFiniteAsMissing) {
  trial.attempt(
      1, {start_event(1, 0), metric_event("loss", 5, "nan"), metric_event("loss", 6, "inf")});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "5:- 6:-");
}

TEST_F(IngestTest, KeepsEveryBitOfANumber) {
  const double value = 0.1 + 0.2;
  trial.attempt(
      1, {start_event(1, 0), metric_event("loss", 5, value), metric_event("loss", 6, 5e-324)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.metrics(trial.id(), "dev", "loss").at(0).value, value);
  EXPECT_EQ(store.metrics(trial.id(), "dev", "loss").at(1).value, 5e-324);
}

TEST_F(IngestTest, DropsAnUnfinishedLineOfAnAttemptThatHasASuccessor) {
  write_text(trial.events(1),
             lines_of({start_event(1, 0), metric_event("loss", 4, 4)}) + "{\"event\":\"metr");
  trial.attempt(2, {start_event(2, 4), metric_event("loss", 8, 2)});
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(curve_of(store, trial.id()), "4:4 8:2");
}

TEST_F(IngestTest, FindsADamagedLineUntilTheTrialStartsFromTheBeginning) {
  const std::string bad = "{\"event\":\"metric\"}\t00000000\n";
  write_text(trial.events(1), lines_of({start_event(1, 0), metric_event("loss", 4, 4)}) + bad);
  EXPECT_FALSE(ingest_events(store, trial.folder()));
  EXPECT_FALSE(ingest_events(store, trial.folder()));
  trial.attempt(2, {start_event(2, 4)});
  EXPECT_FALSE(ingest_events(store, trial.folder()));
  trial.attempt(3, {start_event(3, 0), metric_event("loss", 4, 4)});
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(curve_of(store, trial.id()), "4:4");
}

TEST_F(IngestTest, ADamagedLineBehindTheCheckpointThatALaterAttemptRestsOnIsHarmless) {
  const std::vector<Json> before = {start_event(1, 0), metric_event("loss", 5, 3)};
  write_text(trial.events(1), lines_of(before) + "{garbage}\n");
  EXPECT_FALSE(ingest_events(store, trial.folder()));
  Json start = start_event(2, 5);
  start["rests_on"] = {{"attempt", 1}, {"offset", lines_of(before).size()}};
  trial.attempt(2, {start, metric_event("loss", 10, 1)});
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(count("environment WHERE name LIKE 'rests_on%'"), 0);
  start["rests_on"]["offset"] = lines_of(before).size() + 1;
  trial.attempt(2, {start, metric_event("loss", 10, 1)});
  EXPECT_FALSE(ingest_events(store, trial.folder()));
  trial.attempt(2, {start_event(2, 5), metric_event("loss", 10, 1)});
  EXPECT_FALSE(ingest_events(store, trial.folder()))
      << "an older version did not say on what it rests";
}

TEST_F(IngestTest, MissingEventsOnWhichALaterAttemptRestsAreDamage) {
  const std::string before = lines_of({start_event(1, 0), metric_event("loss", 5, 3.5)});
  Json start = start_event(2, 5);
  start["rests_on"] = {{"attempt", 1}, {"offset", before.size()}};
  trial.attempt(2, {start, metric_event("loss", 8, 2), end_event("done")}).result(2);
  EXPECT_FALSE(ingest_events(store, trial.folder())) << "no attempt 1";
  trial.attempt(1, {start_event(1, 0)});
  EXPECT_FALSE(ingest_events(store, trial.folder())) << "cut at the end of a line";
  write_text(trial.events(1), before);
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(curve_of(store, trial.id()), "5:3.5 8:2");
  EXPECT_FALSE(store.lacks_events(trial.id()));
}

TEST_F(IngestTest, TheLongerOfTwoTimesCounts) {
  trial.attempt(1, {start_event(1, 0), measurement_event("attempt_s", 0, 0.5)})
      .ended(1, {{"outcome", "lost"}, {"message", ""}, {"seconds", 0}});
  ingest_events(store, trial.folder());
  EXPECT_EQ(count("attempt WHERE seconds = 0.5"), 1);
  trial.ended(1, {{"outcome", "lost"}, {"message", ""}, {"seconds", 0.75}});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.measurements(trial.id()).at("attempt_s"), 0.75);
}

TEST_F(IngestTest, ForgetsAttemptsThatSomebodyRemoved) {
  trial.attempt(1, kWholeRun);
  ingest_events(store, trial.folder());
  std::filesystem::remove_all(trial.events(1).parent_path());
  ingest_events(store, trial.folder());
  EXPECT_EQ(count("attempt"), 0);
  EXPECT_EQ(count("metric"), 0);
  trial.attempt(1, kWholeRun);
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(curve_of(store, trial.id()), "5:2.5 10:0.1");
}

TEST_F(IngestTest, ReadsAllAttemptsAgainWhenAFileLostItsEnd) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 4, 4)});
  trial.attempt(2, {start_event(2, 4), metric_event("loss", 5, 3), metric_event("loss", 6, 2)});
  ingest_events(store, trial.folder());
  trial.attempt(2, {start_event(2, 4), metric_event("loss", 5, 3)});
  EXPECT_TRUE(ingest_events(store, trial.folder()));
  EXPECT_EQ(curve_of(store, trial.id()), "4:4 5:3");
}

TEST_F(IngestTest, UsesTheDriversRecordIfAnAttemptHasNoEnd) {
  trial.attempt(1, {start_event(1, 0)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.attempts(trial.id()).at(0).outcome, std::nullopt);
  trial.ended(1, {{"outcome", "killed"}, {"message", "signal 9"}, {"status", 9}});
  ingest_events(store, trial.folder());
  const AttemptRow row = store.attempts(trial.id()).at(0);
  EXPECT_EQ(row.outcome, AttemptOutcome::killed);
  EXPECT_EQ(row.message, "signal 9");
  EXPECT_EQ(row.facts["status"], 9);
}

TEST_F(IngestTest, PrefersTheDriversRecordAndSeesItsChanges) {
  trial.attempt(
      1, {start_event(1, 0), measurement_event("attempt_s", 1, 3), end_event("interrupted")});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.attempts(trial.id()).at(0).outcome, AttemptOutcome::interrupted);
  trial.ended(
      1, {{"outcome", "timeout"}, {"message", "too long"}, {"seconds", 3.5}, {"forgiven", false}});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.attempts(trial.id()).at(0).outcome, AttemptOutcome::timeout);
  EXPECT_EQ(count("attempt WHERE seconds = 3.5"), 1);
  trial.ended(
      1, {{"outcome", "timeout"}, {"message", "too long"}, {"seconds", 3.5}, {"forgiven", true}});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.attempts(trial.id()).at(0).facts["forgiven"], true);
}

TEST_F(IngestTest, KeepsWhatADoneTrialFoundUntilItsRepetitionIsDone) {
  const Json weights{{"event", "artifact"}, {"name", "weights"}, {"kind", "weights"},
                     {"file", "w"},         {"sha256", "00"},    {"bytes", 1}};
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3), metric_event("loss", 10, 1),
                    weights, end_event("done")});
  ingest_events(store, trial.folder());
  trial.attempt(2, {start_event(2, 0), metric_event("loss", 5, 3)})
      .ended(2, {{"outcome", "killed"}});
  trial.attempt(3, {start_event(3, 5)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "5:3 10:1");
  EXPECT_EQ(count("artifact"), 1);
  trial.attempt(3, {start_event(3, 5), metric_event("loss", 9, 2), end_event("done")});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "5:3 9:2");
  EXPECT_EQ(count("artifact"), 0);
}

TEST_F(IngestTest, KnowsADoneTrialByItsResultWhateverADriverWrote) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 10, 1), end_event("done")})
      .result(1)
      .ended(1, {{"outcome", "lost"}});
  ingest_events(store, trial.folder());
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(2, {start_event(2, 0)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "10:1");
}

TEST_F(IngestTest, KeepsFactsInOneOrderWhoeverCameFirst) {
  store.put_attempt({trial.id(), 1, {}, "", {{"seconds", 1.5}, {"charged", true}}});
  store.put_attempt({trial.id(), 1, {}, "", {{"at", "now"}, {"charged", false}}});
  EXPECT_EQ(store.database().execAndGet("SELECT facts FROM attempt").getString(),
            R"({"at":"now","charged":false,"seconds":1.5})");
}

TEST_F(IngestTest, DropsWhatAnAttemptFoundThatOnlySeemedDone) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 10, 1), end_event("done")})
      .ended(1, {{"outcome", "lost"}});
  trial.attempt(2, {start_event(2, 0)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "");
}

TEST_F(IngestTest, SumsTheTimeOfAllAttemptsAndKeepsTheirHighestPeak) {
  trial
      .attempt(1, {start_event(1, 0), measurement_event("peak_memory_bytes", 0, 700),
                   measurement_event("attempt_s", 0, 2), end_event("interrupted")})
      .attempt(2, {start_event(2, 0), measurement_event("peak_memory_bytes", 0, 300)})
      .ended(2, {{"outcome", "killed"}, {"seconds", 8.0}})
      .attempt(30, {start_event(30, 1), measurement_event("peak_memory_bytes", 0, 500),
                    measurement_event("attempt_s", 30, 1), end_event("done")});
  ingest_events(store, trial.folder());
  trial.attempt(31, {start_event(31, 3)});
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.measurements(trial.id()).at("attempt_s"), 11);
  EXPECT_EQ(store.measurements(trial.id()).at("peak_memory_bytes"), 700);
  EXPECT_EQ(count("measurement"), 2);
}

TEST_F(IngestTest, KeepsWhatAnAttemptResumedFromThoughOneBeforeItSaidDone) {
  trial.attempt(1, {start_event(1, 0), metric_event("loss", 5, 3)});
  // Killed between its last event and its result.
  trial.attempt(2, {start_event(2, 5), metric_event("loss", 10, 1), end_event("done")});
  ingest_events(store, trial.folder());
  trial.attempt(3, {start_event(3, 5), metric_event("loss", 10, 1), end_event("done")});
  ingest_events(store, trial.folder());
  EXPECT_EQ(curve_of(store, trial.id()), "5:3 10:1");
}

TEST_F(IngestTest, MakesARowForAnAttemptThatDiedBeforeItsFirstLine) {
  std::filesystem::create_directories(trial.events(1).parent_path());
  ingest_events(store, trial.folder());
  EXPECT_EQ(store.attempts(trial.id()).size(), 1u);
}

TEST_F(IngestTest, ReachesAResultOnlyWithItsLastByte) {
  trial.attempt(1, kWholeRun).result(1);
  const std::string text = lines_of(kWholeRun);
  write_text(trial.events(1), text.substr(0, text.size() - 1));
  ingest_events(store, trial.folder());
  EXPECT_FALSE(store.result_reached(trial.folder()));
  write_text(trial.events(1), text);
  EXPECT_FALSE(store.result_reached(trial.folder()));
  ingest_events(store, trial.folder());
  EXPECT_TRUE(store.result_reached(trial.folder()));
}

TEST_F(IngestTest, HasNoResultToReachWithoutAResultFile) {
  EXPECT_FALSE(store.result_reached(trial.folder()));
}

TEST_F(IngestTest, NamesALineWhoseEventIsNotOurs) {
  trial.attempt(1, {start_event(1, 0), {{"event", "metric"}, {"name", "loss"}}});
  EXPECT_THAT([&] { ingest_events(store, trial.folder()); },
              ThrowsMessage<MachineError>(HasSubstr("written by another version of rethink")));
  EXPECT_EQ(count("event"), 0) << "the rows of the lines before it were rolled back";
}

TEST_F(IngestTest, TakesAMillionMetricRowsOfAThousandTrials) {
  constexpr int kTrials = 1000, kSteps = 1000;
  std::vector<std::string> ids;
  store.begin();
  for (int t = 0; t < kTrials; ++t) {
    Json json = trial.json();
    ids.push_back(fmt::format("{:020d}", t));
    json["id"] = ids.back();
    store.put_trial(json, TrialState::done);
  }
  for (int t = 0; t < kTrials; ++t) {
    put_metric_rows(store, ids[static_cast<size_t>(t)], "dev", "loss", kSteps,
                    [&](int step) { return t + step / 1000.0; });
  }
  store.commit();
  const std::map<std::string, double> last = store.last_values(ids, "dev", "loss");
  EXPECT_EQ(last.size(), size_t{kTrials});
  EXPECT_EQ(last.at(ids[7]), 7.999);
  EXPECT_EQ(count("final"), kTrials);
}

}  // namespace
}  // namespace rethink
