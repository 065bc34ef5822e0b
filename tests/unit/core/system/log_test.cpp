#include "core/system/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rethink {
namespace {

using ::testing::MatchesRegex;

std::string logged(void (*log)(const std::string&), const std::string& text) {
  testing::internal::CaptureStderr();
  log(text);
  return testing::internal::GetCapturedStderr();
}

TEST(LogTest, ALineHasItsTimeAndLevel) {
  set_log_level(LogLevel::debug);
  const std::string time = "[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\\.[0-9][0-9][0-9]";
  EXPECT_THAT(logged(log_info, "two words"), MatchesRegex(time + " info two words\n"));
  EXPECT_THAT(logged(log_warning, "{}"), MatchesRegex(time + " warning \\{\\}\n"));
  EXPECT_THAT(logged(log_error, ""), MatchesRegex(time + " error \n"));
  set_log_level(LogLevel::info);
}

TEST(LogTest, LinesBelowTheLevelAreDropped) {
  set_log_level(LogLevel::warning);
  EXPECT_EQ(logged(log_info, "dropped"), "");
  EXPECT_NE(logged(log_warning, "kept"), "");
  set_log_level(LogLevel::info);
  EXPECT_NE(logged(log_info, "kept"), "");
}

}  // namespace
}  // namespace rethink
