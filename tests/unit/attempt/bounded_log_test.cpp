#include "experiments/attempt/command/output/bounded_log.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

namespace rethink {
namespace {

TEST(BoundedLog, PassesAShortTextOn) {
  std::string written;
  BoundedLog log(10, 3, [&](const std::string& text) { written += text; });
  EXPECT_FALSE(log.take("01234"));
  EXPECT_EQ(written, "01234");
  EXPECT_FALSE(log.take("56789"));
  log.end();
  EXPECT_EQ(written, "0123456789");
}

TEST(BoundedLog, KeepsTheEndOfALongText) {
  std::string written;
  BoundedLog log(4, 3, [&](const std::string& text) { written += text; });
  EXPECT_FALSE(log.take("01"));
  EXPECT_TRUE(log.take("2345"));
  EXPECT_FALSE(log.take("6"));
  for (const char* digit : {"7", "8", "9", "a", "b", "c"}) EXPECT_FALSE(log.take(digit));
  EXPECT_EQ(written, "0123");
  log.end();
  EXPECT_EQ(written, "0123\n[6 bytes are left out here]\nabc");
  log.end();
  EXPECT_EQ(written, "0123\n[6 bytes are left out here]\nabc");
}

TEST(BoundedLog, LeavesNothingOutThatFitsTheEnd) {
  std::string written;
  {
    BoundedLog log(4, 3, [&](const std::string& text) { written += text; });
    EXPECT_TRUE(log.take("0123456"));
    EXPECT_EQ(written, "0123");
  }
  EXPECT_EQ(written, "0123456");
}

TEST(BoundedLog, IgnoresAWriteThatFailsAtItsEnd) {
  BoundedLog log(0, 3, [](const std::string&) { throw std::runtime_error("disk full"); });
  EXPECT_TRUE(log.take("0"));
  EXPECT_THROW(log.end(), std::runtime_error);
}

}  // namespace
}  // namespace rethink
