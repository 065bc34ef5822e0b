#include <gtest/gtest.h>

#include "core/text.h"

namespace rethink {
namespace {

TEST(Utf8, IsWhatUnicodeSays) {
  constexpr size_t kNone = std::string_view::npos;
  EXPECT_EQ(find_invalid_utf8(""), kNone);
  EXPECT_EQ(find_invalid_utf8("a\u00e9\u20ac\U0001F600\U0010FFFF"), kNone);
  EXPECT_EQ(find_invalid_utf8("a\xe9"), 1u);             // Latin-1
  EXPECT_EQ(find_invalid_utf8("ab\x80"), 2u);            // no beginning
  EXPECT_EQ(find_invalid_utf8("a\xe2\x82"), 1u);         // cut off
  EXPECT_EQ(find_invalid_utf8("\xe2\x82z"), 0u);         // not gone on with
  EXPECT_EQ(find_invalid_utf8("\xc0\x80"), 0u);          // longer than need be
  EXPECT_EQ(find_invalid_utf8("\xe0\x9f\xbf"), 0u);      // likewise
  EXPECT_EQ(find_invalid_utf8("\xed\xa0\x80"), 0u);      // a surrogate
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u);  // beyond U+10FFFF
}

TEST(Utf8, IsPutOnOneLine) {
  EXPECT_EQ(one_line("a\t\r\nb \xCE\x94\n"), "a b \xCE\x94 ");
}

TEST(VisibleControls, WriteOutBytesThatAreNotUtf8) {
  EXPECT_EQ(visible_controls("\x9b"
                             "2J caf\xe9 caf\u00e9 \xc3"),
            "\\x9b2J caf\\xe9 caf\u00e9 \\xc3");
}

}  // namespace
}  // namespace rethink
