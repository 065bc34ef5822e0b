#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(LmJob, LearnsTheSyntheticLanguage) {
  AttemptFixture attempt(tiny_lm({{"steps", 60}, {"log_every", 10}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  const std::map<std::string, double> metrics = attempt.metrics();
  EXPECT_LT(metrics.at("train/loss 60"), metrics.at("train/loss 10"));
  EXPECT_LT(metrics.at("dev/perplexity@last 60"), 64.0);  // what guessing would give
  EXPECT_EQ(metrics.at("dev/score@best 60"), metrics.at("dev/perplexity@best 60"));
  EXPECT_NEAR(metrics.at("test/perplexity@last 60"), std::exp(metrics.at("test/loss@last 60")), 1e-9);
  EXPECT_EQ(attempt.result().at("weights_sha256").get<std::string>().size(), 64u);
}

TEST(LmJob, GivesTheSameBitsTwice) {
  AttemptFixture first(tiny_lm({{"steps", 12}})), second(tiny_lm({{"steps", 12}}));
  first.run();
  second.run();
  EXPECT_EQ(first.metrics(), second.metrics());
  EXPECT_EQ(first.result(), second.result());
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
  EXPECT_TRUE(without.published().empty());
  AttemptFixture with(tiny_lm({{"steps", 2}}));
  with.runtime.keep_weights = true;
  with.run();
  ASSERT_EQ(with.published().size(), 1u);
  EXPECT_EQ(with.published()[0].sha256, with.result().at("weights_sha256"));
  EXPECT_EQ(with.result(), without.result());
}

TEST(LmJob, EndsAsDivergedWhenTheLossIsNoNumber) {
  AttemptFixture attempt(
      tiny_lm({{"steps", 40}, {"log_every", 5}, {"optimizer", {{"name", "adam"}, {"lr", 1e30}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::diverged);
  EXPECT_THAT(attempt.messages(), HasSubstr("diverged: the loss is"));
}

TEST(LmJob, EndsAsDivergedWhenTheLossStaysTooHigh) {
  AttemptFixture attempt(tiny_lm({{"steps", 40},
                                  {"log_every", 5},
                                  {"divergence", {{"factor", 1.5}, {"steps", 10}}},
                                  {"optimizer", {{"name", "adam"}, {"lr", 10.0}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::diverged);
  EXPECT_THAT(attempt.messages(), HasSubstr("steps, "));
}

TEST(LmJob, StopsWhenPatienceIsSpent) {
  AttemptFixture attempt(tiny_lm({{"steps", 400},
                                  {"optimizer", {{"name", "adam"}, {"lr", 1e-12}}},
                                  {"evaluate", {{"every", 2}, {"patience", 3}}}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  EXPECT_LT(attempt.last_step(), 400);
}

TEST(LmJob, NeedsADevSplitToChooseTheBest) {
  AttemptFixture attempt(tiny_lm({{"steps", 2}, {"evaluate", {{"splits", {"test"}}}}}));
  EXPECT_THAT([&] { attempt.run(); }, ThrowsMessage<ConfigError>(HasSubstr("no dev to choose on")));
}

TEST(LmJob, GivesTheSmallestTestValueWhenAskedTo) {
  AttemptFixture attempt(
      tiny_lm({{"steps", 20},
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
