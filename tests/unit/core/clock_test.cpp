#include "core/clock.h"

#include <gtest/gtest.h>

#include <regex>

namespace rethink {
namespace {

TEST(Clock, NeverGoesBack) {
  const double monotonic = monotonic_seconds();
  EXPECT_GE(monotonic_seconds(), monotonic);
}

TEST(Clock, WallTimeIsIsoInUtc) {
  EXPECT_TRUE(
      std::regex_match(wall_time(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)")))
      << wall_time();
}

}  // namespace
}  // namespace rethink
