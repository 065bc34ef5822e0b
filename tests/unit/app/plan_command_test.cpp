#include <gmock/gmock.h>

#include "app/driver/cli/plan_choices.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Seeds, AreAListOrARange) {
  EXPECT_EQ(seeds_named("0..2"), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(seeds_named("3,0..1"), (std::vector<int64_t>{3, 0, 1}));
  EXPECT_EQ(seeds_named("9223372036854775807"), (std::vector<int64_t>{9223372036854775807}));
  EXPECT_THAT([] { seeds_named("2..0"); }, ThrowsCode("invalid-argument"));
  EXPECT_THAT([] { seeds_named("0..1000000"); },
              ThrowsMessage<ConfigError>(HasSubstr("expected at most 100000 seeds")));
  EXPECT_THAT([] { seeds_named("0..99999,7"); },
              ThrowsMessage<ConfigError>(HasSubstr("expected at most 100000 seeds")));
  EXPECT_THAT([] { seeds_named("-1"); }, ThrowsCode("invalid-argument"));
}

class PlanCommandTest : public CommandTest {};

TEST_F(PlanCommandTest, RefusesNumbersBelowZero) {
  EXPECT_THAT([&] { answer({"run", "x", "--max-trials=-1"}); }, ThrowsCode("invalid-argument"));
}

}  // namespace
}  // namespace rethink
