// Another program counted the p values over all orders, in exact fractions.
#include "results/statistics/kendall_permutation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace rethink {
namespace {

TrendTest trend_of(const std::vector<TrendLine>& lines) {
  return trend_test(lines).value();
}

TEST(KendallPermutation, OfTwoSeedsWithThreeRowsCannotReachAFiveHundredth) {
  const TrendTest trend = trend_of({{{0.2, 1, 2}, {3, 2, 1}}, {{0.2, 1, 2}, {3.1, 2.5, 1}}});
  EXPECT_EQ(trend.tau, -1);
  EXPECT_DOUBLE_EQ(trend.p, 1 / 18.0);
  EXPECT_DOUBLE_EQ(trend.smallest_p, 1 / 18.0);
}

TEST(KendallPermutation, OfFiveSeedsAddsThemUp) {
  std::vector<TrendLine> lines(4, TrendLine{{0.2, 1, 2}, {3, 2, 1}});
  lines.push_back({{0.2, 1, 2}, {2, 3, 1}});
  const TrendTest trend = trend_of(lines);
  EXPECT_DOUBLE_EQ(trend.p, 22.0 / 7776);
  EXPECT_DOUBLE_EQ(trend.smallest_p, 2.0 / 7776);
  EXPECT_DOUBLE_EQ(trend.tau, (-4 - 1 / 3.0) / 5);
}

TEST(KendallPermutation, CountsTies) {
  const TrendTest trend =
      trend_of({{{1, 2, 3, 4, 5}, {1, 1, 2, 3, 3}}, {{1, 2, 3, 4, 5}, {2, 1, 2, 1, 3}}});
  EXPECT_NEAR(trend.p, 0.09555555555555556, 1e-15);
  EXPECT_NEAR(trend.smallest_p, 0.0022222222222222222, 1e-15);
}

TEST(KendallPermutation, OfSixRowsInAnyOrderOfRows) {
  const TrendTest trend = trend_of({{{4, 2, 3, 1, 5, 6}, {3, 1, 4, 2, 6, 5}}});
  EXPECT_NEAR(trend.p, 0.1361111111111111, 1e-15);
  EXPECT_NEAR(trend.smallest_p, 2 / 720.0, 1e-15);
}

TEST(KendallPermutation, OfALineWhoseValuesAreEqualHasNoTrend) {
  const TrendTest trend = trend_of({{{1, 2, 3}, {7, 7, 7}}, {{1, 2, 3}, {1, 2, 3}}});
  EXPECT_DOUBLE_EQ(trend.p, 1 / 3.0);
  EXPECT_EQ(trend.tau, 0.5);
}

TEST(KendallPermutation, NeedsALineOfTwoRows) {
  EXPECT_FALSE(trend_test({}));
  EXPECT_FALSE(trend_test(std::vector<TrendLine>{{{1}, {2}}}));
}

TEST(KendallPermutation, OfAsManyRowsAsALineMayHaveStaysAProbability) {
  TrendLine rising;
  rising.x.resize(kMostTrendRows);
  std::iota(rising.x.begin(), rising.x.end(), 0.0);
  TrendLine two_groups = rising;
  for (const double x : rising.x) {
    rising.y.push_back(x);
    two_groups.y.push_back(static_cast<int>(x) % 2);
  }
  const double p = trend_of({rising}).p;
  EXPECT_TRUE(p >= 0 && p < 1e-100) << p;
  const TrendTest tied = trend_of({two_groups});
  EXPECT_TRUE(tied.p > 0.5 && tied.p <= 1) << tied.p;
}

}  // namespace
}  // namespace rethink
