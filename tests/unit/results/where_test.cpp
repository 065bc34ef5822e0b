#include "results/query/where.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

TEST(Where, SaysHowToQuoteAValueWithMarksOfTheLanguage) {
  const TempFolder folder;
  TrialMaker(folder.path(), "a", {{"arm", "dense"}})
      .attempt(1, {start_event(1, 0), end_event("done")})
      .result(1);
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const QueryNames names(store);
  const auto advised = [&](const std::string& condition) -> std::string {
    try {
      parse_condition(condition, names);
    } catch (const ConfigError& error) {
      const std::string text = error.what(), before = "quote the value: --where ";
      const size_t at = text.find(before);
      return at == std::string::npos ? "" : text.substr(at + before.size());
    }
    return "taken";
  };
  EXPECT_EQ(advised("arm=(z)"), R"x('arm="(z)"')x");
  EXPECT_EQ(advised("arm=z(1)"), R"x('arm="z(1)"')x");
  EXPECT_EQ(advised("arm=1 (Transformer)"), R"x('arm="1 (Transformer)"')x");
  EXPECT_EQ(advised("arm=[a, b]"), R"x('arm="[a, b]"')x");
  EXPECT_EQ(advised("arm=[\"a\", 'b']"), "");  // has both quotes
  EXPECT_EQ(advised("arm={\"a\": 1}"), R"x('arm='\''{"a": 1}'\''')x");
  EXPECT_EQ(advised("(arm=(z) or seed=1) and seed=0"), R"x('(arm="(z)" or seed=1) and seed=0')x");
  EXPECT_EQ(advised("(seed=1 or arm=(z))"), R"x('(seed=1 or arm="(z)")')x");
  EXPECT_EQ(advised("arm in (dense, (z), Star)"), R"x('arm in (dense, "(z)", Star)')x");
  EXPECT_EQ(advised("arm in ((z))"), R"x('arm in ("(z)")')x");
  for (const char* other : {"seed=1 seed=2", "(seed=1", "seed=", "seed 1", "seed=1 and",
                            "arm='Star", "arm='a' b", "seed in (0, 1", "seed in 1"})
    EXPECT_EQ(advised(other), "") << other;
  EXPECT_EQ(advised(R"x(arm="(z)")x"), "taken");
  EXPECT_EQ(advised(R"x((arm="(z)" or seed=1) and seed=0)x"), "taken");
}

}  // namespace
}  // namespace rethink
