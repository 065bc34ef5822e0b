#include <gtest/gtest.h>

#include "core/yaml/lookalike_characters.h"

namespace rethink {
namespace {

std::string named(const std::string& text) {
  const std::optional<FoundBlank> found = find_odd_blank(text);
  return found ? std::to_string(found->at) + " " + found->blank->name : "";
}

TEST(OddBlanks, AreNamedWhereTheyStand) {
  EXPECT_EQ(named("a: b"), "");
  EXPECT_EQ(named("a:\tb"), "");
  EXPECT_EQ(named("a:\u00a0b\u200b"), "2 a no-break space (U+00A0)");
  EXPECT_EQ(named("a\u180eb"), "1 a Mongolian vowel separator (U+180E)");
  EXPECT_EQ(named("a\xc2\x85"), "1 a next-line mark (U+0085)");
  EXPECT_EQ(named("a\fb"), "1 a form feed (U+000C)");
  EXPECT_EQ(named("\va"), "0 a vertical tab (U+000B)");
  EXPECT_EQ(named("\x1f"
                  "a"),
            "0 a unit separator (U+001F)");
  EXPECT_EQ(named("\u00e9\u3164"), "2 a Hangul filler (U+3164)");
  EXPECT_EQ(named("a\u202e"), "1 a right-to-left override (U+202E)");
  EXPECT_EQ(odd_blank_in("a\u2800"),
            "\n  column 2 has a blank Braille pattern (U+2800), which is no space");
  EXPECT_EQ(odd_blank_in("a"), "");
}

TEST(OddBlanks, BelongToAnEmojiOrToAScriptThatNeedsThem) {
  const char* const sound[] = {"\U0001F468\u200d\U0001F469\u200d\U0001F467",  // a family
                               "\u2764\ufe0f\u200d\U0001F525",                // a heart on fire
                               "\U0001F3F3\ufe0f\u200d\U0001F308",            // a flag
                               "\U0001F469\U0001F3FD\u200d\U0001F4BB",        // a skin tone between
                               "1\ufe0f\u20e3 \u00a9\ufe0f \u2603\ufe0e",     // a keycap, styles
                               "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  // Persian
                               "\u0915\u094d\u200d\u0937 \u0d28\u0d4d\u200d",  // Hindi, Malayalam
                               "\u182a\u1820\u180e\u1820",                     // Mongolian
                               "\u05d0\u05d1\u200f! \u200e\u0627",             // Hebrew, Arabic
                               "\u845b\ufe0f"};
  for (const char* text : sound) EXPECT_EQ(named(text), "") << text;
  EXPECT_EQ(named("st\u200deps"), "2 a zero-width joiner (U+200D)");
  EXPECT_EQ(named("st\ufe0feps"), "2 a variation selector (U+FE0F)");
  EXPECT_EQ(named("\u2764\ufe0f\ufe0f"), "6 a variation selector (U+FE0F)");
  EXPECT_EQ(named("\U0001F468\u200d"), "4 a zero-width joiner (U+200D)");
  EXPECT_EQ(named("\u200d\U0001F468"), "0 a zero-width joiner (U+200D)");
  EXPECT_EQ(named("\u0645\u00a0\u200c"), "2 a no-break space (U+00A0)");
  EXPECT_EQ(named("\U0001F468\u200d\U0001F469\u00a0"), "11 a no-break space (U+00A0)");
  EXPECT_EQ(named("a\u200fb"), "1 a right-to-left mark (U+200F)");
}

TEST(OddBlanks, AreTakenFromBothEnds) {
  EXPECT_EQ(without_outer_blanks("a\u00a0b"), "a\u00a0b");
  EXPECT_EQ(without_outer_blanks("\u00a0 \u200bab\t\f\u3000"), "ab");
  EXPECT_EQ(without_outer_blanks("\u00a0\u00a0"), "");
  EXPECT_EQ(without_outer_blanks(""), "");
  EXPECT_EQ(without_outer_blanks("\u2764\ufe0f"), "\u2764\ufe0f");
  EXPECT_EQ(without_outer_blanks("\u2764\ufe0f\u00a0"), "\u2764\ufe0f");
  EXPECT_EQ(find_outer_blank("a\u00a0b"), std::nullopt);
  EXPECT_EQ(find_outer_blank("ab\u00a0")->at, 2u);
  EXPECT_EQ(find_outer_blank("\u200bab\u00a0")->at, 0u);
}

}  // namespace
}  // namespace rethink
