#include "experiments/attempt/command/stdout_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/clock.h"
#include "core/error.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    const StdoutPattern pattern(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(StdoutPattern, FindsValueAndStep) {
  const StdoutPattern pattern("step {step} .*acc={value}");
  const auto found = pattern.find("[12:00] step 120 loss=3 acc=-0.91e-1%");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 120);
  EXPECT_EQ(found->value, -0.091);
  EXPECT_FALSE(pattern.find("step x acc=1"));
  EXPECT_FALSE(pattern.find("step 99999999999999999999 acc=1"));
}

TEST(StdoutPattern, ReadsAnyNumber) {
  const StdoutPattern pattern("(a|b){2,3} = {value}$");
  EXPECT_FALSE(pattern.has_step());
  EXPECT_EQ(pattern.find("aba = .5")->value, 0.5);
  EXPECT_EQ(pattern.find("ab = +7.")->value, 7);
  EXPECT_TRUE(std::isnan(pattern.find("ab = NaN")->value));
  EXPECT_TRUE(std::isinf(pattern.find("ab = -inf")->value));
  EXPECT_FALSE(pattern.find("a = 5"));
}

TEST(StdoutPattern, RefusesWhatIsNoExpression) {
  EXPECT_THAT(refusal("acc=(.*)"), HasSubstr("expected one {value}"));
  EXPECT_THAT(refusal("{value} {value}"), HasSubstr("expected one {value}"));
  EXPECT_THAT(refusal("{step} {step} {value}"), HasSubstr("several {step}"));
  EXPECT_THAT(refusal("acc=({value}"), HasSubstr("is not a regular expression of RE2: missing"));
  EXPECT_THAT(refusal("(a)\\1 {value}"), HasSubstr("is not a regular expression of RE2"));
}

TEST(StdoutPattern, NeverHangs) {
  const StdoutPattern pattern("(a*)*(a|aa)+b {value}");
  const double begun_s = monotonic_seconds();
  EXPECT_FALSE(pattern.find(std::string(size_t{64} << 10, 'a')));
  EXPECT_LT(monotonic_seconds() - begun_s, 5);
}

}  // namespace
}  // namespace rethink
