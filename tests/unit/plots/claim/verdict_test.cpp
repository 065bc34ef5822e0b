// The intervals and p values are R's (4.2): t.test(gains, mu = ..., conf.level = ...).
#include "plots/claim/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "plots/claim/claim_tests.h"

namespace rethink {
namespace {

const std::vector<double> kGains = {0.4, 0.9, 0.1, 0.6, 0.7};

Judgement judged(std::vector<double> gains, const Bounds& bounds, double alpha) {
  return judge_gains(gains, 1, bounds, alpha).value();
}

std::vector<double> opposite(std::vector<double> gains) {
  for (double& gain : gains) gain = -gain;
  return gains;
}

TEST(VerdictOf, ADifferenceHoldsWhereAllOfTheIntervalIsAboveZero) {
  const Bounds bounds{.smallest = 0.5};
  EXPECT_EQ(verdict_of({0.1, 0.9}, bounds), Verdict::holds);
  EXPECT_EQ(verdict_of({0.6, 0.9}, bounds), Verdict::holds);
  EXPECT_EQ(verdict_of({0.1, 0.4}, bounds), Verdict::holds_smaller);
  EXPECT_EQ(verdict_of({0.0, 0.9}, bounds), Verdict::undecided);
}

TEST(VerdictOf, ADifferenceFailsWhereItIsSurelySmallerThanOfInterest) {
  const Bounds bounds{.smallest = 0.5};
  EXPECT_EQ(verdict_of({-0.1, 0.4}, bounds), Verdict::fails);
  EXPECT_EQ(verdict_of({-0.9, -0.1}, bounds), Verdict::fails);
  EXPECT_EQ(verdict_of({-0.1, 0.5}, bounds), Verdict::undecided);
  EXPECT_EQ(verdict_of({0.0, 0.4}, bounds), Verdict::fails);
}

TEST(VerdictOf, WithoutASmallestEffectADifferenceFailsWhereItIsAgainstTheClaim) {
  EXPECT_EQ(verdict_of({-0.1, 0.1}, {}), Verdict::undecided);
  EXPECT_EQ(verdict_of({-0.2, -0.1}, {}), Verdict::fails);
  EXPECT_EQ(verdict_of({1e-9, 0.1}, {}), Verdict::holds);
}

TEST(VerdictOf, NotWorseIsHeldAgainstTheMarginAlone) {
  const Bounds bounds{.test = find_claim_test("not_worse"), .margin = 0.5, .smallest = 3};
  EXPECT_EQ(verdict_of({-0.4, 0.1}, bounds), Verdict::holds);
  EXPECT_EQ(verdict_of({-0.5, 0.1}, bounds), Verdict::undecided);
  EXPECT_EQ(verdict_of({-0.9, -0.6}, bounds), Verdict::fails);
}

TEST(VerdictOf, AlikeLiesBetweenBothMargins) {
  const Bounds bounds{.test = find_claim_test("alike"), .margin = 0.5};
  EXPECT_EQ(verdict_of({-0.4, 0.4}, bounds), Verdict::holds);
  EXPECT_EQ(verdict_of({0.1, 0.4}, bounds), Verdict::holds);
  EXPECT_EQ(verdict_of({-0.4, 0.6}, bounds), Verdict::undecided);
  EXPECT_EQ(verdict_of({0.4, 0.6}, bounds), Verdict::undecided);
  EXPECT_EQ(verdict_of({0.6, 0.9}, bounds), Verdict::fails);
  EXPECT_EQ(verdict_of({-0.9, -0.6}, bounds), Verdict::fails);
}

TEST(JudgeGains, HasTheIntervalOfItsAlpha) {
  const Judgement better = judged(kGains, {.smallest = 0.1}, 0.025);
  EXPECT_EQ(better.verdict, Verdict::holds);
  EXPECT_DOUBLE_EQ(better.level, 0.975);
  EXPECT_NEAR(better.interval->low, 0.0632901878761849, 1e-13);
  EXPECT_NEAR(better.interval->high, 1.0167098121238152, 1e-13);
  EXPECT_NEAR(better.p, 0.0166850203739506, 1e-14);
  EXPECT_EQ(judged(kGains, {.smallest = 1.1}, 0.025).verdict, Verdict::holds_smaller);
}

TEST(JudgeGains, ThatFailTestAgainstTheSmallestEffect) {
  const Judgement worse = judged(opposite(kGains), {.smallest = 1}, 0.025);
  EXPECT_EQ(worse.verdict, Verdict::fails);
  EXPECT_NEAR(worse.p, 0.00035052701621592, 1e-15);
}

TEST(JudgeGains, OfNotWorseTestAgainstTheMargin) {
  const Judgement judgement =
      judged(kGains, {.test = find_claim_test("not_worse"), .margin = 0.3}, 0.025);
  EXPECT_EQ(judgement.verdict, Verdict::holds);
  EXPECT_NEAR(judgement.p, 0.00352653136603915, 1e-14);
}

TEST(JudgeGains, AlikeMakesTwoOneSidedTests) {
  const Bounds bounds{.test = find_claim_test("alike"), .margin = 0.9};
  const Judgement alike = judged(kGains, bounds, 0.05);
  EXPECT_EQ(alike.verdict, Verdict::holds);
  EXPECT_DOUBLE_EQ(alike.level, 0.9);
  EXPECT_NEAR(alike.interval->low, 0.249254861779418, 1e-13);
  EXPECT_NEAR(alike.interval->high, 0.830745138220582, 1e-13);
  EXPECT_NEAR(alike.p, 0.0288007858994022, 1e-14);
  EXPECT_EQ(judged(kGains, bounds, 0.025).verdict, Verdict::undecided);
}

// p is twice 0.011451731948384, the one-sided p for a value above 0.05.
TEST(JudgeGains, ThatAreNotAlikeLieBeyondAMarginByATwoSidedTest) {
  const Bounds bounds{.test = find_claim_test("alike"), .margin = 0.05};
  for (const auto& gains : {kGains, opposite(kGains)}) {
    const Judgement apart = judged(gains, bounds, 0.05);
    EXPECT_EQ(apart.verdict, Verdict::fails);
    EXPECT_DOUBLE_EQ(apart.level, 0.95);
    EXPECT_NEAR(apart.p, 0.022903463896768, 1e-14);
  }
  // 0.1613 to 0.9187 at level 0.95, 0.0633 to 1.0167 at 0.975: only the narrower interval excludes 0.1.
  const Judgement undecided =
      judged(kGains, {.test = find_claim_test("alike"), .margin = 0.1}, 0.025);
  EXPECT_EQ(undecided.verdict, Verdict::undecided);
  EXPECT_DOUBLE_EQ(undecided.level, 0.975) << "the interval that is not beyond the margin";
}

/// Of 4,000 sets of five seeds without a difference, at most a share of alpha may be "not alike" by a tiny margin. One-sided tests at both margins gave 8.3 %.
TEST(JudgeGains, ThatAreAlikeRarelyFail) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  int fails = 0;
  for (int set = 0; set < 4000; ++set) {
    std::vector<double> gains(5);
    for (double& gain : gains) gain = normal(engine);
    fails += judged(gains, {.test = find_claim_test("alike"), .margin = 0.05}, 0.05).verdict ==
             Verdict::fails;
  }
  EXPECT_LT(fails, 4000 * 0.05 + 3 * std::sqrt(4000 * 0.05 * 0.95));
}

TEST(JudgeGains, HasItsVerdictExactlyWherePIsAtMostAlpha) {
  for (double shift = -2; shift <= 2; shift += 0.05) {
    std::vector<double> gains = kGains;
    for (double& gain : gains) gain += shift;
    for (const double alpha : {0.01, 0.025, 0.05}) {
      for (const ClaimTest* test :
           {find_claim_test("better"), find_claim_test("not_worse"), find_claim_test("alike")}) {
        const Judgement one = judged(gains, {.test = test, .margin = 0.7, .smallest = 0.3}, alpha);
        // An undecided test has not excluded 0 either.
        EXPECT_EQ(is_decided(one.verdict), one.p <= alpha) << test->name << " at " << shift;
      }
    }
  }
}

TEST(JudgeGains, ThatAreAllEqualSayNothing) {
  EXPECT_FALSE(judge_gains(std::vector<double>{0.1, 0.1, 0.1}, 1, {}, 0.05));
  EXPECT_FALSE(judge_gains(std::vector<double>{0.1}, 1, {}, 0.05));
}

TEST(JudgeResamples, CountsThoseBeyondTheBound) {
  std::vector<double> rising;
  for (int hundredths = -2; hundredths <= 96; ++hundredths) rising.push_back(hundredths / 100.0);
  const Judgement better = judge_resamples(rising, {}, 0.1);
  EXPECT_EQ(better.verdict, Verdict::holds);
  EXPECT_DOUBLE_EQ(better.interval->low, 0.03) << "the sixth of 99";
  EXPECT_DOUBLE_EQ(better.interval->high, 0.91);
  EXPECT_DOUBLE_EQ(better.p, 2 * (3 + 1) / 100.0) << "-0.02, -0.01 and 0 are not above it";
  const Bounds alike{.test = find_claim_test("alike"), .margin = 0.95};
  EXPECT_DOUBLE_EQ(judge_resamples(rising, alike, 0.05).p, (2 + 1) / 100.0);
  const Judgement apart =
      judge_resamples(rising, {.test = find_claim_test("alike"), .margin = 0.005}, 0.2);
  EXPECT_EQ(apart.verdict, Verdict::fails);
  EXPECT_DOUBLE_EQ(apart.level, 0.8);
  EXPECT_DOUBLE_EQ(apart.p, 2 * (3 + 1) / 100.0);
}

}  // namespace
}  // namespace rethink
