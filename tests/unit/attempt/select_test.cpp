#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/inputs.h"
#include "experiments/attempt/trial_files.h"
#include "tests/support/attempt_store.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Fixture of trials with made-up results, and a select among them.
class SelectTest : public testing::Test {
 protected:
  /// Adds a done trial with this score and one artifact named after it.
  std::string candidate(const std::string& tag, int64_t seed, const Json& score,
                        const std::string& outcome = "done") {
    const Trial trial = store_.add("noop", {{"tag", tag}}, seed);
    const TrialFolder folder = store_.folder(trial);
    write_text(folder.artifacts() / "w", tag);
    Json result{{"trial", trial.id}, {"seed", seed}, {"outcome", outcome},
                {"attempt", 1},      {"events", 0},  {"metrics", {{"dev/score", score}}}};
    result["directions"] = {{"score", direction_}};
    const Artifact weights{.name = "weights",
                           .kind = "weights",
                           .path = folder.artifacts() / "w",
                           .sha256 = sha256_hex(tag),
                           .bytes = tag.size(),
                           .seed = {}};
    result["artifacts"] = Json::array({to_json(weights, folder.path())});
    write_text(folder.result(), stored_text(result));
    return trial.id;
  }

  Trial selecting(const std::vector<std::vector<std::string>>& groups,
                  const Json& options = Json::object()) {
    Json given{{"by", "dev/score"}, {"groups", Json::array()}};
    Needs needs;
    for (const auto& group : groups) {
      given["groups"].push_back({{"trials", group}});
      needs["from"].insert(needs["from"].end(), group.begin(), group.end());
    }
    given.update(options);
    return store_.add("select", given, std::nullopt, needs);
  }

  /// Runs the job and publishes its result as an attempt would.
  Json run(const Trial& trial, JobOutcome expected = JobOutcome::done) {
    const TrialFolder folder = store_.folder(trial);
    EventLog events(folder.path() / "events.jsonl");
    CheckpointFolder checkpoints(folder.checkpoints(), events);
    Inputs inputs = read_inputs(trial, store_.path());
    const Runtime runtime;
    const std::atomic<bool> stop = false;
    JobContext context{.trial = trial,
                       .runtime = runtime,
                       .inputs = std::move(inputs.artifacts),
                       .parents = std::move(inputs.results),
                       .events = events,
                       .checkpoints = checkpoints,
                       .artifacts = folder.artifacts(),
                       .stop = stop,
                       .published = {}};
    EXPECT_EQ(jobs().make("select", trial.config)->run(context), expected);
    Json result = context.result;
    result.update({{"trial", trial.id},
                   {"seed", nullptr},
                   {"outcome", "done"},
                   {"attempt", 1},
                   {"events", events.offset()},
                   {"metrics", events.last_metrics()}});
    result["artifacts"] = Json::array();
    for (const Artifact& artifact : context.published)
      result["artifacts"].push_back(to_json(artifact, folder.path()));
    write_text(folder.result(), stored_text(result));
    return result;
  }

  AttemptStore store_;
  std::string direction_ = "max";  // the direction in the candidates' scores
};

TEST_F(SelectTest, TakesTheGroupWithTheBestMeanOverSeeds) {
  const std::vector<std::string> low{candidate("a", 0, 0.9), candidate("a", 1, 0.1)};
  const std::vector<std::string> high{candidate("b", 0, 0.6), candidate("b", 1, 0.6)};
  const Json result = run(selecting({low, high}));
  EXPECT_EQ(result.at("selected").at("group"), 1);
  EXPECT_EQ(result.at("selected").at("score"), 0.6);
  EXPECT_EQ(result.at("selected").at("seeds"),
            Json::parse(R"([{"seed":0,"trial":")" + high[0] + R"("},{"seed":1,"trial":")" +
                        high[1] + R"("}])"));
  EXPECT_EQ(result.at("artifacts").size(), 2u);
  EXPECT_EQ(result.at("artifacts").at(1).at("file"), "../" + high[1] + "/artifacts/w");
  EXPECT_EQ(result.at("artifacts").at(1).at("seed"), 1);
  EXPECT_EQ(run(selecting({low, high}, {{"direction", "min"}})).at("selected").at("group"), 0);
}

TEST_F(SelectTest, TheCandidatesSayWhichWayIsBetter) {
  direction_ = "min";
  EXPECT_EQ(run(selecting({{candidate("a", 0, 237.8)}, {candidate("b", 0, 172.0)}}))
                .at("selected")
                .at("group"),
            1);
}

TEST_F(SelectTest, TheFirstWinsATie) {
  const Json selected =
      run(selecting({{candidate("a", 0, 0.4)}, {candidate("b", 0, 0.5)}, {candidate("c", 0, 0.5)}}))
          .at("selected");
  EXPECT_EQ(selected.at("group"), 1);
  EXPECT_EQ(selected.at("tied"), 2);  // and in the event, for snapshots: trial_records_test.cpp
  EXPECT_EQ(selected.at("by"), "dev/score");
}

TEST_F(SelectTest, ADivergedCandidateCannotWin) {
  const auto diverged = candidate("a", 0, 0.9, "diverged"), endless = candidate("b", 0, "inf"),
             good = candidate("c", 0, 0.1);
  EXPECT_EQ(run(selecting({{diverged}, {endless}, {good}})).at("selected").at("group"), 2);
  EXPECT_FALSE(run(selecting({{diverged}, {endless}}), JobOutcome::diverged).contains("selected"));
}

TEST_F(SelectTest, SaysWhichMetricsACandidateHas) {
  const Trial trial = selecting({{candidate("a", 0, 0.9)}}, {{"by", "dev/scores"}});
  EXPECT_THAT([&] { run(trial); },
              ThrowsMessage<TrialError>(HasSubstr(
                  "has no metric 'dev/scores'; did you mean 'dev/score'?; it has: dev/score")));
}

TEST_F(SelectTest, AChildGetsTheWinnerOfItsSeed) {
  const std::vector<std::string> winner{candidate("a", 0, 0.9), candidate("a", 1, 0.8)};
  const Trial select = selecting({winner});
  run(select);
  for (const int64_t seed : {0, 1}) {
    const Inputs inputs =
        read_inputs(store_.add("noop", {}, seed, {{"init", {select.id}}}), store_.path());
    ASSERT_EQ(inputs.artifacts.at("init").size(), 1u);
    EXPECT_EQ(inputs.artifacts.at("init")[0].path,
              store_.path() / "trials" / winner[static_cast<size_t>(seed)] / "artifacts/w");
    EXPECT_EQ(inputs.results.at("init")[0].at("via"), select.id);
  }
  EXPECT_THAT(
      [&] {
        read_inputs(store_.add("noop", {}, 2, {{"init", {select.id}}}), store_.path());
      },
      ThrowsMessage<TrialError>(HasSubstr("has no seed 2")));
}

TEST_F(SelectTest, AWinnerWithOneSeedServesEverySeed) {
  const Trial select = selecting({{candidate("a", 0, 0.9)}});
  run(select);
  const Inputs inputs =
      read_inputs(store_.add("noop", {}, 7, {{"init", {select.id}}}), store_.path());
  EXPECT_EQ(inputs.artifacts.at("init").size(), 1u);
}

TEST_F(SelectTest, ChoosesAmongSelects) {
  const Trial first = selecting({{candidate("a", 0, 0.2), candidate("a", 1, 0.4)}});
  const Trial second = selecting({{candidate("b", 0, 0.5), candidate("b", 1, 0.7)}});
  run(first);
  run(second);
  const Json result = run(selecting({{first.id}, {second.id}}));
  EXPECT_EQ(result.at("selected").at("group"), 1);
  EXPECT_EQ(result.at("selected").at("score"), 0.6);
  EXPECT_EQ(result.at("selected").at("seeds").size(), 2u);
}

TEST_F(SelectTest, NeitherAxesNorLabelsAreHashed) {
  const auto id = candidate("a", 0, 0.9);
  const Trial plain = selecting({{id}});
  const Json labels = Json::array({{{"axis", "lr"}, {"value", "1"}}});
  const Trial labelled = selecting(
      {{id}},
      {{"over", {"lr"}}, {"groups", Json::array({{{"trials", {id}}, {"labels", labels}}})}});
  EXPECT_EQ(plain.id, labelled.id);
}

TEST_F(SelectTest, MissingOrDamagedInputsAreNamed) {
  const std::string id = candidate("abc", 0, 0.9);
  const Trial child = store_.add("noop", {}, 0, {{"init", {id}}});
  const auto weights = store_.path() / "trials" / id / "artifacts/w";
  write_text(weights, "x");
  EXPECT_THAT([&] { read_inputs(child, store_.path()); },
              ThrowsMessage<TrialError>(HasSubstr("is damaged (1 bytes, expected 3)")));
  write_text(weights, "abd");
  EXPECT_THAT([&] { read_inputs(child, store_.path()); },
              ThrowsMessage<TrialError>(AllOf(HasSubstr("is damaged (its SHA-256 is not"),
                                              HasSubstr("retry trial " + child.id + " and run"))));
  std::filesystem::remove(weights);
  EXPECT_THAT([&] { read_inputs(child, store_.path()); },
              ThrowsMessage<TrialError>(HasSubstr("is missing")));
  std::filesystem::remove(store_.path() / "trials" / id / "result.json");
  EXPECT_THAT([&] { read_inputs(child, store_.path()); },
              ThrowsMessage<TrialError>(HasSubstr("has no result")));
}

TEST_F(SelectTest, ImportedWeightsStandInTheirSlot) {
  Trial trial = store_.add("noop", {}, 0);
  trial.imported["init"] = "sha";
  trial.imported_paths["init"] = "/somewhere/w";
  const Inputs inputs = read_inputs(trial, store_.path());
  EXPECT_EQ(inputs.artifacts.at("init").at(0).path, "/somewhere/w");
  EXPECT_EQ(inputs.artifacts.at("init").at(0).kind, "weights");
}

}  // namespace
}  // namespace rethink
