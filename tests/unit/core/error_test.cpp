#include "core/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;

std::string text_of(const Problems& problems) {
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Problems, AreNoneAtFirst) {
  Problems problems;
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(text_of(problems), "");
}

TEST(Problems, ShowTheLineAndACaretUnderTabsAndWideLetters) {
  TempFolder folder;
  const std::string file = (folder / "a.yaml").string();
  write_text(file, "first\n\t\xc3\xa9: bad\n");
  Problems problems;
  problems.add({file, 2, 6}, "this is wrong");
  EXPECT_EQ(text_of(problems), file + ":2:6: error: this is wrong\n  \t\xc3\xa9: bad\n  \t   ^");
}

TEST(Problems, AreSaidOnceAndTwentyAtMost) {
  Problems problems;
  for (int i = 0; i < 2; ++i) problems.add({"f", 0, 0}, "same");
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_EQ(text_of(problems), "f: error: same");
  for (int i = 0; i < 25; ++i) problems.add({}, "number " + std::to_string(i));
  EXPECT_THAT(text_of(problems), HasSubstr("error: number 18\n... and 6 more"));
}

TEST(DidYouMean, FindsNearNamesOnly) {
  EXPECT_EQ(did_you_mean("windw", {"window", "init"}), "; did you mean 'window'?");
  EXPECT_EQ(did_you_mean("lr", {"optimizer.lr"}), "; did you mean 'optimizer.lr'?");
  EXPECT_EQ(did_you_mean("teh", {"the"}), "; did you mean 'the'?");  // a swap is one edit
  EXPECT_EQ(did_you_mean("LM", {"noop", "lm"}), "; did you mean 'lm'?");
  EXPECT_EQ(did_you_mean("batchsize", {"steps", "batch"}), "; did you mean 'batch'?");
  EXPECT_EQ(did_you_mean("warm", {"steps", "warmup"}), "; did you mean 'warmup'?");
  EXPECT_EQ(did_you_mean("window", {"dropout", "heads"}), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

TEST(Joined, PutsSeparatorsBetween) {
  EXPECT_EQ(joined({"a", "b"}), "a, b");
  EXPECT_EQ(joined({"a", "b"}, " -> "), "a -> b");
  EXPECT_EQ(joined({}), "");
}

TEST(Assertion, AbortsAndNamesTheCondition) {
  EXPECT_DEATH(RETHINK_ASSERT(1 == 2, "seen 3"),
               "this is a bug in rethink: 1 == 2 does not hold \\(seen 3\\)");
}

}  // namespace
}  // namespace rethink
