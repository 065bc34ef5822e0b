#include "experiments/attempt/command/output/stdout_pattern.h"

#include <fmt/format.h>
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

TEST(StdoutPattern, ReadsNoPartOfANumber) {
  const StdoutPattern pattern("acc={value}");
  for (const char* number :
       {"1,234.5", "1_000", "12k", "0x1f", "1.2.3", "3.5s", "1e", "info", "nano", "1.5e5x"}) {
    StdoutPattern::PartlyRead partly;
    EXPECT_FALSE(pattern.find(fmt::format("loss=1 acc={}, acc=2", number), &partly)) << number;
    EXPECT_EQ(partly.whole, number);
    EXPECT_NE(partly.part, number);
  }
  for (const char* text :
       {"acc=12%", "acc=12, 13", "acc=12.", "[acc=12]", "acc=12/13", "acc=12±1", "acc=12:00"})
    EXPECT_EQ(pattern.find(text)->value, 12) << text;
}

TEST(StdoutPattern, ReadsANumberBeforeTheUnitThatTheExpressionNames) {
  EXPECT_EQ(StdoutPattern("time {value}s").find("time 3.5s")->value, 3.5);
  EXPECT_EQ(StdoutPattern("time ({value})\\s*s").find("time 3.5s")->value, 3.5);
  EXPECT_EQ(StdoutPattern("time {value}[a-z]+").find("time 3.5ms")->value, 3.5);
  EXPECT_EQ(StdoutPattern("^{step},{value}(,.*)?$").find("10,0.5,0.3")->value, 0.5);
  EXPECT_FALSE(StdoutPattern("time {value}s?").find("time 1,234s"));
  EXPECT_FALSE(StdoutPattern("time {value}.*").find("time 3.5s"));
  EXPECT_FALSE(StdoutPattern("version {value}.*").find("version 1.2.3"));
}

TEST(StdoutPattern, ReadsNoEndOfANumber) {
  EXPECT_FALSE(StdoutPattern("step {step} .*{value}").find("step 1 loss 0.93"));
  EXPECT_FALSE(StdoutPattern("loss\\D*{value}").find("loss: -0.93"));
  EXPECT_EQ(StdoutPattern("loss-{value}").find("loss-0.93")->value, 0.93);
  EXPECT_EQ(StdoutPattern("loss.*:{value}").find("loss:-0.93")->value, -0.93);
  EXPECT_EQ(StdoutPattern("loss\\.*{value}").find("loss....0.93")->value, 0.93);
}

TEST(StdoutPattern, ReadsNoPartOfAStep) {
  StdoutPattern::PartlyRead partly;
  EXPECT_FALSE(StdoutPattern("step {step}.*acc={value}").find("step 1,000 acc=0.5", &partly));
  EXPECT_EQ(partly.whole, "1,000");
  EXPECT_EQ(StdoutPattern("epoch-{step}/.*acc={value}").find("epoch-3/10 acc=0.5")->step, 3);
}

TEST(StdoutPattern, RefusesInvalidExpressions) {
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
