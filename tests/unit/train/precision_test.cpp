#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

std::map<std::string, double> metrics_in(const std::string& precision) {
  AttemptFixture attempt(tiny_lm({{"steps", 12}, {"log_every", 1}, {"precision", precision}}));
  EXPECT_EQ(attempt.run(), JobOutcome::done) << precision;
  return attempt.metrics();
}

TEST(Precision, Tf32IsFloat32OnACpu) {
  EXPECT_EQ(metrics_in("tf32"), metrics_in("float32"));
}

TEST(Precision, Bfloat16RoundsProductsAndStillLearns) {
  const std::map<std::string, double> exact = metrics_in("float32"),
                                      rounded = metrics_in("bfloat16");
  ASSERT_EQ(rounded.size(), exact.size());
  bool differs = false;
  for (int step = 1; step <= 12; ++step) {
    const std::string row = "train/loss " + std::to_string(step);
    differs = differs || rounded.at(row) != exact.at(row);
    EXPECT_NEAR(rounded.at(row), exact.at(row), 0.02 * exact.at(row)) << row;
  }
  EXPECT_TRUE(differs);
  EXPECT_LT(rounded.at("train/loss 12"), rounded.at("train/loss 1"));
}

}  // namespace
}  // namespace rethink
