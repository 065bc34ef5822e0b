#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/files/unique_names.h"

namespace rethink {
namespace {

TEST(FileStem, HasLettersThatGnuplotOpensAsAFileAndTellsNamesApart) {
  EXPECT_EQ(stem_of_files("figure3"), "figure3");
  EXPECT_EQ(stem_of_files("A_b-1.2"), "A_b-1.2");
  std::set<std::string> stems;
  for (const std::string name :
       {"a b", "a_b", "a\nb", "a;b", "a'b", "|a", "<a", "-a", ".a", "..", "", "\u00e4", "a/b"}) {
    const std::string stem = stem_of_files(name);
    EXPECT_THAT(stem, testing::MatchesRegex("[A-Za-z0-9_][A-Za-z0-9_.-]*")) << name;
    EXPECT_TRUE(stems.insert(stem).second) << name;
    EXPECT_TRUE(stems.insert(stem_of_files(stem)).second || stem == name) << stem;
  }
}

}  // namespace
}  // namespace rethink
