#include <gtest/gtest.h>

#include "experiments/run/slots.h"

namespace rethink {
namespace {

TEST(StartLimit, IsNoneUntilSomethingIsRefused) {
  StartLimit limit;
  EXPECT_TRUE(limit.allows(1000, 0));
  EXPECT_EQ(limit.most(), 0u);
}

TEST(StartLimit, IsHowManyWentOnWhenAWaveOfStartsWasRefused) {
  StartLimit limit;
  for (const size_t running : {7, 6, 5}) limit.refuse(running, 10);
  EXPECT_EQ(limit.most(), 5u);
  EXPECT_FALSE(limit.allows(4, 10.2));
  EXPECT_TRUE(limit.allows(4, 10.3));
  EXPECT_FALSE(limit.allows(5, 10.3));
}

TEST(StartLimit, TriesOneMoreAfterAWhile) {
  StartLimit limit;
  limit.refuse(2, 0);
  EXPECT_FALSE(limit.allows(2, 59));
  EXPECT_TRUE(limit.allows(2, 60));
  limit.refuse(2, 60);
  EXPECT_FALSE(limit.allows(2, 179));
  EXPECT_TRUE(limit.allows(2, 180));
}

TEST(StartLimit, IsHopelessWhenNothingRunsAndNothingStarts) {
  StartLimit limit;
  double now_s = 0;
  int tries = 0;
  for (; !limit.is_hopeless(); now_s += 0.05) {
    if (!limit.allows(0, now_s)) continue;
    limit.refuse(0, now_s);
    ++tries;
  }
  EXPECT_EQ(tries, 7);
  EXPECT_GT(now_s, 15);
  EXPECT_LT(now_s, 17);
}

TEST(StartLimit, WaitsForLongWhereOthersRun) {
  StartLimit limit;
  double now_s = 0;
  for (int i = 0; i < 20; ++i, now_s += 100) limit.refuse(1, now_s);
  EXPECT_FALSE(limit.is_hopeless());
  limit.relax();
  limit.refuse(0, now_s);
  EXPECT_TRUE(limit.allows(0, now_s + 0.3));
}

}  // namespace
}  // namespace rethink
