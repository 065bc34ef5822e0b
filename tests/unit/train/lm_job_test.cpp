#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "experiments/train/metrics.h"
#include "models/attention/attend.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;

template <typename T>
std::vector<T> numbers_of(const SafetensorsFile& file, const std::string& name) {
  const auto bytes = file.at(name).bytes;
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// Expects the measurements of cost that every trial records, however it ends.
void expect_all_measurements(const AttemptFixture& attempt) {
  std::map<std::string, double> values;
  for (const Json& event : attempt.events("measurement"))
    values[event.at("name")] = event.at("value").get<double>();
  for (const char* name : {"parameters", "tokens_seen", "flops", "steps_per_s", "tokens_per_s",
                           "training_s", "evaluation_s", "train_examples"}) {
    EXPECT_TRUE(values.contains(name)) << name;
  }
  EXPECT_GT(values["steps_per_s"], 0.0);
  EXPECT_GT(values["tokens_seen"], 0.0);
}

/// Returns the weights file of an attempt: tensor names and bytes, without the metadata.
void expect_same_tensors(const std::filesystem::path& file, const std::filesystem::path& other) {
  const SafetensorsFile ours(file), theirs(other);
  ASSERT_EQ(ours.tensors().size(), theirs.tensors().size());
  for (const auto& [name, view] : theirs.tensors())
    EXPECT_TRUE(std::ranges::equal(ours.at(name).bytes, view.bytes)) << name;
}

TEST(LmJob, LearnsTheSyntheticLanguage) {
  AttemptFixture attempt(tiny_lm({{"steps", 60}, {"log_every", 10}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  const std::map<std::string, double> metrics = attempt.metrics();
  EXPECT_LT(metrics.at("train/loss 60"), metrics.at("train/loss 10"));
  EXPECT_LT(metrics.at("dev/perplexity@last 60"), 64.0);  // the loss of guessing
  EXPECT_EQ(metrics.at("dev/score@best 60"), metrics.at("dev/perplexity@best 60"));
  EXPECT_NEAR(metrics.at("test/perplexity@last 60"), std::exp(metrics.at("test/loss@last 60")),
              1e-9);
  EXPECT_EQ(attempt.result().at("weights_sha256").get<std::string>().size(), 64u);
  expect_all_measurements(attempt);
}

TEST(LmJob, GivesTheSameBitsTwice) {
  AttemptFixture first(tiny_lm({{"steps", 12}})), second(tiny_lm({{"steps", 12}}));
  first.run();
  second.run();
  EXPECT_EQ(first.metrics(), second.metrics());
  EXPECT_EQ(first.result(), second.result());
}

TEST(LmJob, LeavesTheSameWeightsFileHoweverOftenItCheckpoints) {
  AttemptFixture seldom(tiny_lm({{"steps", 3}})),
      often(tiny_lm({{"steps", 3}, {"checkpoint_every", 0}}));
  seldom.run();
  often.run();
  EXPECT_EQ(seldom.result(), often.result());
}

TEST(LmJob, GivesOtherBitsForAnotherSeed) {
  AttemptFixture first(tiny_lm({{"steps", 3}}), 0), second(tiny_lm({{"steps", 3}}), 1);
  first.run();
  second.run();
  EXPECT_NE(first.result(), second.result());
}

TEST(LmJob, LeavesWeightsOnlyWhenTheyAreWanted) {
  AttemptFixture without(tiny_lm({{"steps", 2}}));
  without.run();
  ASSERT_EQ(without.published().size(), 1u);
  EXPECT_EQ(without.published()[0].name, "predictions");
  AttemptFixture with(tiny_lm({{"steps", 2}}));
  with.runtime.keep_weights = true;
  with.run();
  ASSERT_EQ(with.published().size(), 2u);
  EXPECT_EQ(with.published()[0].sha256, with.result().at("weights_sha256"));
  EXPECT_EQ(with.result(), without.result());
}

TEST(LmJob, LeavesPredictionsThatGiveTheReportedMetrics) {
  AttemptFixture attempt(tiny_lm({{"steps", 6}, {"evaluate", {{"every", 3}, {"keep", "best"}}}}));
  attempt.run();
  const SafetensorsFile file(attempt.published().at(0).path);
  const auto nll = numbers_of<double>(file, "test/nll");
  const auto tokens = numbers_of<int64_t>(file, "test/tokens");
  ASSERT_EQ(nll.size(), tokens.size());
  const double mean =
      std::accumulate(nll.begin(), nll.end(), 0.0) /
      static_cast<double>(std::accumulate(tokens.begin(), tokens.end(), int64_t{0}));
  EXPECT_NEAR(attempt.metrics().at("test/loss@best 6"), mean, 1e-9);
}

TEST(LmJob, LeavesTheWeightsOfTheBestEvaluationOnRequest) {
  // A learning rate that is too large, so that the best evaluation is not the last. The outcome depends on the processor's rounding, so no loss counts as a divergence.
  const Json options = {{"optimizer", {{"name", "adam"}, {"lr", 3.0}}},
                        {"divergence", {{"factor", 1e9}}},
                        {"evaluate", {{"every", 1}}}};
  const auto run = [&](int64_t steps, const std::string& keep) {
    Json changes = options;
    changes["steps"] = steps;
    changes["evaluate"]["keep"] = keep;
    auto attempt = std::make_unique<AttemptFixture>(tiny_lm(changes));
    attempt->runtime.keep_weights = true;
    attempt->run();
    return attempt;
  };
  const auto best = run(12, "best");
  const auto metrics = best->metrics();
  int64_t best_step = 1;
  for (int64_t step = 1; step <= 12; ++step) {
    const auto score = [&](int64_t at) { return metrics.at("dev/score " + std::to_string(at)); };
    if (score(step) < score(best_step)) best_step = step;
  }
  ASSERT_LT(best_step, 12);
  EXPECT_EQ(metrics.at("dev/score@best 12"), metrics.at("dev/score " + std::to_string(best_step)));
  EXPECT_EQ(metrics.at("test/perplexity@best 12"),
            metrics.at("test/perplexity " + std::to_string(best_step)));
  const auto until_best = run(best_step, "last");
  expect_same_tensors(best->published().at(0).path, until_best->published().at(0).path);
}

TEST(LmJob, TrainsToTheSameBitsHoweverOftenItIsEvaluated) {
  // Both kinds of dropout are on, also in evaluations, which draw their own random numbers.
  const auto run = [](int64_t every, const std::string& attention) {
    auto attempt = std::make_unique<AttemptFixture>(
        tiny_lm({{"steps", 11},
                 {"log_every", 1},
                 {"model",
                  {{"dropout", 0.3},
                   {"attention_dropout", 0.2},
                   {"attention_dropout_at_evaluation", true},
                   {"attention", {{"kind", attention}}}}},
                 {"evaluate", {{"every", every}, {"splits", {"dev"}}, {"keep", "last"}}}}));
    attempt->runtime.keep_weights = true;
    EXPECT_EQ(attempt->run(), JobOutcome::done);
    return attempt;
  };
  for (const std::string attention : {"dense", "bird_eye"}) {
    const auto at_the_end = run(100, attention);
    const auto values = at_the_end->metrics();
    EXPECT_FALSE(values.contains("dev/score 9"));
    for (const int64_t every : {3, 5}) {
      const auto often = run(every, attention);
      const auto others = often->metrics();
      EXPECT_TRUE(others.contains("dev/score " + std::to_string(2 * every)));
      for (int step = 1; step <= 11; ++step) {
        const std::string loss = "train/loss " + std::to_string(step);
        EXPECT_EQ(others.at(loss), values.at(loss)) << attention << " " << every << " " << loss;
      }
      EXPECT_EQ(others.at("dev/score@last 11"), values.at("dev/score@last 11"));
      expect_same_tensors(often->published().at(0).path, at_the_end->published().at(0).path);
    }
  }
}

TEST(LmJob, KeepsTheCurveOfTrainingWhereItsSplitIsEvaluatedToo) {
  const auto metrics_with = [](const std::vector<std::string>& splits) {
    AttemptFixture attempt(tiny_lm(
        {{"steps", 4}, {"log_every", 2}, {"evaluate", {{"every", 2}, {"splits", splits}}}}));
    EXPECT_EQ(attempt.run(), JobOutcome::done);
    return attempt.metrics();
  };
  const auto without = metrics_with({"dev"}), with = metrics_with({"train", "dev"});
  for (const char* point : {"train/loss 2", "train/loss 4"})
    EXPECT_EQ(with.at(point), without.at(point)) << point;
  EXPECT_NEAR(with.at("train/loss@last 4"), std::log(with.at("train/perplexity 4")), 1e-6);
  EXPECT_NE(with.at("train/loss@last 4"), with.at("train/loss 4"));
}

/// Uses dense attention. FLOPs are counted after each step, which takes long.
class SlowlyCountedAttention : public ProjectedAttention {
 public:
  explicit SlowlyCountedAttention(const AttentionSite& site) : ProjectedAttention(site) {}

  at::Tensor forward(const AttentionCall& call) override {
    return merged("output",
                  attend(call, heads_of("query", call.query_input), heads_of("key", call.key_input),
                         heads_of("value", call.key_input), {}, call.random));
  }

  double pair_flops(int64_t tokens, int64_t width) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Attention::pair_flops(tokens, width);
  }
};

struct SlowlyCountedOptions {
  void fields(Fields&) {}
};

RETHINK_REGISTERED = attentions().add<SlowlyCountedOptions>(
    {.name = "test_slowly_counted", .summary = "dense attention whose FLOPs take long to count"},
    [](const SlowlyCountedOptions&, const AttentionSite& site) {
      return std::make_shared<SlowlyCountedAttention>(site);
    });

/// A device may still run steps that the host has already passed.
TEST(LmJob, CountsTimeBetweenStepsAsTraining) {
  AttemptFixture attempt(
      tiny_lm({{"steps", 4},
               {"model", {{"layers", 2}, {"attention", {{"kind", "test_slowly_counted"}}}}}}));
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  double training_s = 0;
  for (const Json& event : attempt.events("measurement")) {
    if (event.at("name") == "training_s") training_s = event.at("value");
  }
  EXPECT_GE(training_s, 4 * 2 * 0.020);
}

TEST(LmJob, EndsAsDivergedWhenTheLossIsNaN) {
  AttemptFixture attempt(
      tiny_lm({{"steps", 40}, {"log_every", 5}, {"optimizer", {{"name", "adam"}, {"lr", 1e30}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::diverged);
  EXPECT_THAT(attempt.messages(), HasSubstr("diverged: the loss is nan at step "));
  expect_all_measurements(attempt);
}

TEST(LmJob, EndsAsDivergedWhenTheLastUpdateRuinsTheModel) {
  AttemptFixture attempt(
      tiny_lm({{"steps", 1}, {"log_every", 1}, {"optimizer", {{"name", "adam"}, {"lr", 1e38}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::diverged);
  EXPECT_THAT(attempt.messages(),
              HasSubstr("diverged: the score of the evaluation at step 1 is not a finite number"));
  expect_all_measurements(attempt);
}

TEST(LmJob, EndsAsDivergedWhenTheLossStaysTooHigh) {
  AttemptFixture attempt(tiny_lm({{"steps", 40},
                                  {"log_every", 5},
                                  {"divergence", {{"factor", 1.5}, {"steps", 10}}},
                                  {"optimizer", {{"name", "adam"}, {"lr", 10.0}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::diverged);
  EXPECT_THAT(attempt.messages(), HasSubstr("steps, "));
  expect_all_measurements(attempt);
}

TEST(LmJob, StopsWhenPatienceIsExhausted) {
  AttemptFixture attempt(tiny_lm({{"steps", 400},
                                  {"optimizer", {{"name", "adam"}, {"lr", 1e-12}}},
                                  {"evaluate", {{"every", 2}, {"patience", 3}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  EXPECT_LT(attempt.last_step(), 400);
}

TEST(LmJob, NeedsADevSplitToChooseTheBest) {
  AttemptFixture attempt(tiny_lm({{"steps", 2}, {"evaluate", {{"splits", {"test"}}}}}));
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("conflicting-values"));
}

TEST(LmJob, MeasuresBytesInBitsPerCharacter) {
  const TempFolder folder;
  std::string text;
  for (int line = 0; line < 200; ++line) text += "line " + std::to_string(line) + " of the file\n";
  write_text(folder / "own.txt", text);
  AttemptFixture attempt(tiny_lm({{"steps", 2},
                                  {"data",
                                   {{"dataset", "text"},
                                    {"path", (folder / "own.txt").string()},
                                    {"unit", "byte"},
                                    {"sentences", nullptr},
                                    {"vocabulary", nullptr},
                                    {"length", nullptr}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  const auto values = attempt.metrics();
  EXPECT_EQ(values.at("dev/score@last 2"), values.at("dev/bits_per_character@last 2"));
}

TEST(LmJob, HasTheMetricsThatItsFactsPromise) {
  AttemptFixture attempt(tiny_lm({{"steps", 2}, {"evaluate", {{"min_test", true}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  const auto values = attempt.metrics();
  const JobMetrics& facts = *jobs().facts("lm").metrics;
  EXPECT_EQ(facts.splits, "evaluate.splits");
  for (const std::string& always : facts.always)
    EXPECT_EQ(values.count(always + " 2"), 1u) << always;
  std::vector<std::string> names = {"score"};
  for (const std::string& name : metrics_of("sequences")) {
    // The synthetic language has no units such as characters, so metrics per unit are not measured.
    const bool has_unit = facts.units.contains(metrics().facts(name).unit);
    EXPECT_EQ(values.count("test/" + name + " 2"), has_unit ? 0u : 1u) << name;
    if (!has_unit) names.push_back(name);
  }
  for (const std::string& name : names) {
    for (const auto& [final_value, option] : facts.finals)
      EXPECT_EQ(values.count("test/" + name + final_value + " 2"), 1u) << name << final_value;
  }
}

TEST(LmJob, GivesTheSmallestTestValueOnRequest) {
  AttemptFixture attempt(tiny_lm(
      {{"steps", 20},
       {"evaluate", {{"every", 5}, {"min_test", true}, {"splits", {"test"}}, {"keep", "last"}}}}));
  attempt.run();
  const auto metrics = attempt.metrics();
  double smallest = 1e300;
  for (int step : {5, 10, 15, 20}) {
    smallest = std::min(smallest, metrics.at("test/perplexity " + std::to_string(step)));
  }
  EXPECT_EQ(metrics.at("test/perplexity@min_test 20"), smallest);
  EXPECT_FALSE(metrics.contains("test/perplexity@best 20"));
}

}  // namespace
}  // namespace rethink
