#include <gtest/gtest.h>

#include "plots/text_format.h"

namespace rethink {
namespace {

TEST(Columns, AreThoseOfATerminal) {
  EXPECT_EQ(width_of("Δ ± τ"), 5u);
  EXPECT_EQ(width_of("注意力"), 6u);
  EXPECT_EQ(width_of("ａ１"), 4u) << "full width";
  EXPECT_EQ(width_of("한국"), 4u);
  EXPECT_EQ(width_of("\u1112\u1161\u11ab"), 2u) << "one syllable of three letters";
  EXPECT_EQ(width_of("e\u0301a\u0308"), 2u) << "accents combine";
  EXPECT_EQ(width_of("a\u200bb\u200d"), 2u) << "no width";
  EXPECT_EQ(width_of("🙂"), 2u);
  EXPECT_EQ(width_of("\xff\xe6"), 2u) << "bytes that are not UTF-8 stand alone";
  EXPECT_EQ(width_of(""), 0u);
}

TEST(Columns, ABeginningKeepsLettersAndTheirAccentsWhole) {
  EXPECT_EQ(bytes_within("注意力", 5), 6u);
  EXPECT_EQ(bytes_within("注意力", 1), 0u);
  EXPECT_EQ(bytes_within("e\u0301a", 1), 3u);
  EXPECT_EQ(bytes_within("ab", 9), 2u);
}

}  // namespace
}  // namespace rethink
