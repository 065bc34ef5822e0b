#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "experiments/train/schedules.h"

namespace rethink {
namespace {

TEST(Schedules, ConstantWarmsUpAndStays) {
  const auto schedule = schedules().make("constant", {{"warmup", 4}}, 100);
  EXPECT_DOUBLE_EQ(schedule->factor(1), 0.25);
  EXPECT_DOUBLE_EQ(schedule->factor(4), 1.0);
  EXPECT_DOUBLE_EQ(schedule->factor(100), 1.0);
  EXPECT_DOUBLE_EQ(schedules().make("constant", Json::object(), 100)->factor(1), 1.0);
}

TEST(Schedules, LinearRisesAndFallsTowardsZero) {
  const auto schedule = schedules().make("linear", {{"warmup", 10}}, 110);
  EXPECT_DOUBLE_EQ(schedule->factor(5), 0.5);
  EXPECT_DOUBLE_EQ(schedule->factor(10), 1.0);
  EXPECT_DOUBLE_EQ(schedule->factor(11), 1.0);
  EXPECT_DOUBLE_EQ(schedule->factor(61), 0.5);
  EXPECT_DOUBLE_EQ(schedule->factor(110), 0.01);
}

TEST(Schedules, LinearTakesItsWarmUpAsAShare) {
  const auto schedule = schedules().make("linear", {{"warmup_share", 0.1}}, 110);
  EXPECT_DOUBLE_EQ(schedule->factor(1), 1.0 / 11);
  EXPECT_DOUBLE_EQ(schedule->factor(11), 1.0);
}

TEST(Schedules, InverseSquareRootFallsFromItsPeak) {
  const auto schedule = schedules().make("inverse_square_root", {{"warmup", 100}}, 1000);
  EXPECT_DOUBLE_EQ(schedule->factor(50), 0.5);
  EXPECT_DOUBLE_EQ(schedule->factor(100), 1.0);
  EXPECT_DOUBLE_EQ(schedule->factor(400), 0.5);
}

TEST(Schedules, NeverGiveANegativeOrTooLargeFactor) {
  for (const std::string& name : schedules().names()) {
    const auto schedule = schedules().make(name, Json::object(), 30);
    for (int64_t step = 1; step <= 30; ++step) {
      EXPECT_GT(schedule->factor(step), 0.0) << name << " " << step;
      EXPECT_LE(schedule->factor(step), 1.0) << name << " " << step;
    }
  }
}

}  // namespace
}  // namespace rethink
