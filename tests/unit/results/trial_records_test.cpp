#include "results/records/trial_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "results/database/database_place.h"
#include "results/folders/artifact_file.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using testing::ThrowsMessage;

const ValueName kScore{"dev", "score@last"};

Json predictions_event(const std::string& file, const std::string& sha256 = std::string(64, '0')) {
  return {
      {"event", "artifact"}, {"name", "predictions"}, {"kind", "predictions"},  {"sha256", sha256},
      {"bytes", 1},          {"file", file},          {"facts", {{"items", 2}}}};
}

/// Returns their SHA-256.
std::string write_predictions(const std::filesystem::path& file, double first = 1.5) {
  const std::vector<double> nll = {first, 0.25};
  const std::vector<int64_t> tokens = {3, 1};
  std::filesystem::create_directories(file.parent_path());
  write_safetensors(file,
                    {{"test/nll", {Dtype::f64, {2}, std::as_bytes(std::span(nll))}},
                     {"test/tokens", {Dtype::i64, {2}, std::as_bytes(std::span(tokens))}}},
                    {});
  return sha256_file(file);
}

class TrialRecordsTest : public testing::Test {
 protected:
  TrialRecords read(const std::vector<std::string>& trials, const WantedValues& wanted) {
    rebuild(folder_.path());
    Store store(folder_.path(), Store::Access::read);
    return read_trial_records(store, folder_.path(), trials, wanted);
  }
  const TempFolder folder_;
};

TEST_F(TrialRecordsTest, SayHowARepetitionEndedWhoseEarlierResultCounts) {
  TrialMaker trial(folder_.path(), "a1");
  trial.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  EXPECT_EQ(read({trial.id()}, {}).at(trial.id()).repetition, std::nullopt);
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(2, {start_event(2, 0)}).ended(2, {{"outcome", "interrupted"}});
  write_trial_state(trial.folder(), TrialState::cancelled, "stopped");
  const TrialRecord record = read({trial.id()}, {}).at(trial.id());
  EXPECT_EQ(record.state, TrialState::done);
  EXPECT_EQ(record.repetition, TrialState::cancelled);
}

TEST_F(TrialRecordsTest, NameDataThatDiffersFromThePublishedFile) {
  TrialMaker trial(folder_.path(), "a1");
  trial.data("set/train", "11").data("set/test", "22").data("own/text", "33");
  WantedValues wanted;
  wanted.published_data = {{"set/train", "99"}, {"set/test", "22"}, {"other/train", "44"}};
  EXPECT_THAT(read({trial.id()}, wanted).at(trial.id()).other_data, ElementsAre("set/train"));
  EXPECT_THAT(read({trial.id()}, {}).at(trial.id()).other_data, IsEmpty());
}

TEST_F(TrialRecordsTest, HaveTheLastValuesOfTheRequestedNames) {
  TrialMaker trial(folder_.path(), "a1");
  trial.seed(7)
      .attempt(1, {start_event(1, 0), metric_event("score@last", 5, 0.1),
                   metric_event("score@last", 9, 0.4), measurement_event("parameters", 1, 10),
                   measurement_event("parameters", 2, 20), predictions_event("artifacts/p"),
                   end_event("done")})
      .result(1);
  const TrialRecords records = read({trial.id(), id_of("unknown")},
                                    {{kScore}, {{"predictions", "items"}}, {"parameters"}, {}});
  ASSERT_EQ(records.size(), 1u);
  const TrialRecord& record = records.at(trial.id());
  EXPECT_EQ(record.state, TrialState::done);
  EXPECT_EQ(record.seed, 7);
  EXPECT_THAT(record.values,
              ElementsAre(Pair("dev/score@last", 0.4), Pair("predictions/items", 2)));
  EXPECT_THAT(record.measurements, ElementsAre(Pair("parameters", 20)));
  EXPECT_THAT(record.items, IsEmpty());
}

Json mismatched_event(double value) {
  Json event = metric_event("score@last", 9, value);
  event["split"] = "dev_mismatched";
  return event;
}

TEST_F(TrialRecordsTest, HoldTheMeanOfSeveralSplitsWhereAllHaveAValue) {
  const ValueName mean{"dev+dev_mismatched", "score@last"};
  TrialMaker both(folder_.path(), "a1"), one(folder_.path(), "a2"), endless(folder_.path(), "a3");
  both.attempt(1, {start_event(1, 0), metric_event("score@last", 9, 0.4), mismatched_event(0.5),
                   end_event("done")})
      .result(1);
  one.attempt(1, {start_event(1, 0), metric_event("score@last", 9, 0.4), end_event("done")})
      .result(1);
  endless
      .attempt(1, {start_event(1, 0), metric_event("score@last", 9, "inf"), mismatched_event(0.5),
                   end_event("done")})
      .result(1);
  const TrialRecords records = read({both.id(), one.id(), endless.id()}, {{mean}, {}, {}, {}});
  EXPECT_DOUBLE_EQ(records.at(both.id()).values.at(mean.text()), 0.45);
  EXPECT_EQ(records.at(one.id()).values.count(mean.text()), 0u);
  EXPECT_EQ(records.at(endless.id()).values.count(mean.text()), 0u);
  EXPECT_EQ(records.at(endless.id()).not_finite.count(mean.text()), 1u);
}

TEST_F(TrialRecordsTest, NameTheMetricsWhoseLastValueIsNotFinite) {
  TrialMaker endless(folder_.path(), "a1"), better(folder_.path(), "a2");
  endless.attempt(1, {start_event(1, 0), metric_event("score@last", 9, "inf"), end_event("done")})
      .result(1);
  better
      .attempt(1, {start_event(1, 0), metric_event("score@last", 5, "nan"),
                   metric_event("score@last", 9, 0.4), end_event("done")})
      .result(1);
  const TrialRecords records = read({endless.id(), better.id()}, {{kScore}, {}, {}, {}});
  EXPECT_THAT(records.at(endless.id()).not_finite, ElementsAre("dev/score@last"));
  EXPECT_THAT(records.at(endless.id()).values, IsEmpty());
  EXPECT_THAT(records.at(better.id()).not_finite, IsEmpty());
}

TEST_F(TrialRecordsTest, MakeTheTailOfACurveFromItsLastTenth) {
  TrialMaker learns(folder_.path(), "a1"), endless(folder_.path(), "a2"),
      without(folder_.path(), "a3");
  learns
      .attempt(1,
               {start_event(1, 0), metric_event("loss", 50, 8.0), metric_event("loss", 89, 4.0),
                metric_event("loss", 90, 2.0), metric_event("loss", 100, 1.0), end_event("done")})
      .result(1);
  endless
      .attempt(1, {start_event(1, 0), metric_event("loss", 95, "nan"),
                   metric_event("loss", 100, 1.0), end_event("done")})
      .result(1);
  without.attempt(1, {start_event(1, 0), metric_event("other", 1, 1.0), end_event("done")})
      .result(1);
  const ValueName tail{"dev", "loss@tail"};
  const TrialRecords records =
      read({learns.id(), endless.id(), without.id()}, {{tail}, {}, {}, {}});
  EXPECT_THAT(records.at(learns.id()).values, ElementsAre(Pair("dev/loss@tail", 1.5)));
  EXPECT_THAT(records.at(learns.id()).not_finite, IsEmpty());
  EXPECT_THAT(records.at(endless.id()).values, IsEmpty());
  EXPECT_THAT(records.at(endless.id()).not_finite, ElementsAre("dev/loss@tail"));
  EXPECT_THAT(records.at(without.id()).values, IsEmpty());
  EXPECT_THAT(records.at(without.id()).not_finite, IsEmpty());
}

TEST_F(TrialRecordsTest, HoldTheItemsOfPredictionsWhenTheyAreWanted) {
  TrialMaker trial(folder_.path(), "a1");
  const std::string sha256 = write_predictions(trial.folder() / "artifacts/p");
  trial.attempt(1, {start_event(1, 0), predictions_event("artifacts/p", sha256), end_event("done")})
      .result(1);
  const TrialRecord record =
      read({trial.id()}, {{}, {}, {}, {"dev_mismatched", "test"}}).at(trial.id());
  EXPECT_THAT(record.items.at("test").nll, ElementsAre(1.5, 0.25));
  EXPECT_EQ(record.items.count("dev_mismatched"), 0u);  // another column's, of another data set
  EXPECT_THAT(record.items_problem, IsEmpty());
}

TEST_F(TrialRecordsTest, SayWhyThereAreNoItems) {
  TrialMaker gone(folder_.path(), "a1"), without(folder_.path(), "a2");
  gone.attempt(1, {start_event(1, 0), predictions_event("artifacts/p"), end_event("done")})
      .result(1);
  without.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  const TrialRecords records = read({gone.id(), without.id()}, {{}, {}, {}, {"test"}});
  EXPECT_EQ(records.at(gone.id()).items_problem,
            "artifacts/p is missing; rm of the trial and a new run of its sweep make them again");
  EXPECT_THAT(records.at(gone.id()).items, IsEmpty());
  EXPECT_THAT(records.at(without.id()).items_problem, IsEmpty());
  snapshot(folder_.path(), folder_ / "copy.db");
  Store copy(folder_ / "copy.db", Store::Access::read);
  EXPECT_EQ(read_trial_records(copy, folder_ / "copy.db", {gone.id()}, {{}, {}, {}, {"test"}})
                .at(gone.id())
                .items_problem,
            "a snapshot is without the trials' predictions; give the store's folder");
}

TEST_F(TrialRecordsTest, TakeNothingFromAFileWithAnotherSha256) {
  TrialMaker trial(folder_.path(), "a1");
  const std::filesystem::path file = trial.folder() / "artifacts/p";
  const std::string sha256 = write_predictions(file);
  trial.attempt(1, {start_event(1, 0), predictions_event("artifacts/p", sha256), end_event("done")})
      .result(1);
  const auto files = [&] {
    Store store(folder_.path(), Store::Access::read);
    return artifact_files(store, folder_.path(), {trial.id()}, "predictions");
  };
  EXPECT_THAT(read({trial.id()}, {{}, {}, {}, {"test"}}).at(trial.id()).items_problem, IsEmpty());
  EXPECT_EQ(files().at(trial.id()).intact(), file);
  EXPECT_EQ(write_predictions(file, 1.25).size(), sha256.size());  // well-formed, of the same size
  const TrialRecord record = read({trial.id()}, {{}, {}, {}, {"test"}}).at(trial.id());
  EXPECT_THAT(record.items, IsEmpty());
  EXPECT_EQ(record.items_problem,
            "artifacts/p is damaged; rm of the trial and a new run of its sweep make them again");
  EXPECT_EQ(files().at(trial.id()).problem,
            file.string() + " is damaged; " + how_to_restore(folder_.path(), trial.id()));
  std::filesystem::remove(file);
  EXPECT_THAT([&] { files().at(trial.id()).intact(); },
              ThrowsMessage<ConfigError>(StartsWith(file.string() + " is missing; to restore it")));
}

TEST_F(TrialRecordsTest, KnowTheResultOfATrialThatRunsAgain) {
  TrialMaker trial(folder_.path(), "a1");
  trial.attempt(1, {start_event(1, 0), metric_event("score@last", 9, 0.4), end_event("done")})
      .result(1);
  std::filesystem::rename(trial.folder() / "result.json", trial.folder() / "old_result.json");
  trial.attempt(2, {start_event(2, 0)});
  const TrialRecords records = read({trial.id()}, {{kScore}, {}, {}, {}});
  EXPECT_EQ(records.at(trial.id()).state, TrialState::done);
  EXPECT_EQ(records.at(trial.id()).values.at("dev/score@last"), 0.4);
}

TEST_F(TrialRecordsTest, DoNotCallATrialDoneWhoseResultOrEventsAreDamaged) {
  TrialMaker with_result(folder_.path(), "a1"), with_events(folder_.path(), "a2");
  for (TrialMaker* trial : {&with_result, &with_events}) {
    trial->attempt(1, {start_event(1, 0), metric_event("score@last", 9, 0.4)});
    Json resumed = start_event(2, 9);
    resumed["rests_on"] = {{"attempt", 1},
                           {"offset", std::filesystem::file_size(trial->events(1))}};
    trial->attempt(2, {resumed, end_event("done")}).result(2);
  }
  write_text(with_result.folder() / "result.json", "{");
  std::string events = read_file(with_events.events(1));
  events[events.size() - 20] ^= 1;
  write_text(with_events.events(1), events);
  const TrialRecords records = read({with_result.id(), with_events.id()}, {});
  EXPECT_EQ(records.at(with_result.id()).state, TrialState::ready);
  EXPECT_EQ(records.at(with_events.id()).state, TrialState::ready);
}

TEST_F(TrialRecordsTest, ReadTheWinnersOfASelectFromASnapshot) {
  TrialMaker winner(folder_.path(), "b1"), chooser(folder_.path(), "b2");
  winner.attempt(1, {start_event(1, 0), metric_event("score@last", 9, 0.4), end_event("done")})
      .result(1);
  const Json seeds = {{{"seed", 0}, {"trial", winner.id()}}};
  chooser.seed(nullptr)
      .attempt(1, {start_event(1, 0),
                   {{"event", "selected"}, {"tied", 2}, {"seeds", seeds}},
                   end_event("done")})
      .result(1);
  rebuild(folder_.path());
  snapshot(folder_.path(), folder_ / "copy.db");
  EXPECT_EQ(database_path(folder_ / "copy.db"), folder_ / "copy.db");
  Store store(folder_ / "copy.db", Store::Access::read);
  const TrialRecords records =
      read_trial_records(store, folder_ / "copy.db", {chooser.id()}, {{kScore}, {}, {}, {}});
  EXPECT_THAT(records.at(chooser.id()).winners, ElementsAre(winner.id()));
  EXPECT_EQ(records.at(chooser.id()).tied, 2u);
  EXPECT_EQ(records.at(winner.id()).values.at("dev/score@last"), 0.4);
}

TEST_F(TrialRecordsTest, TakeWhatAnOlderEventDoesNotSayFromTheResult) {
  TrialMaker chooser(folder_.path(), "b3");
  const Json seeds = {{{"seed", 0}, {"trial", id_of("b1")}}};
  chooser.seed(nullptr)
      .attempt(1, {start_event(1, 0), {{"event", "selected"}, {"seeds", seeds}}, end_event("done")})
      .result(1);
  Json result = chooser.result_json();
  result["selected"] = {{"group", 0},        {"labels", Json::array()},
                        {"by", "dev/score"}, {"score", 0.5},
                        {"tied", 3},         {"seeds", seeds}};
  chooser.set_result(result);
  const TrialRecords records = read({chooser.id()}, {{kScore}, {}, {}, {}});
  EXPECT_EQ(records.at(chooser.id()).tied, 3u);
  EXPECT_THAT(records.at(chooser.id()).winners, ElementsAre(id_of("b1")));
}

}  // namespace
}  // namespace rethink
