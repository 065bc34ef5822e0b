// The rules one by one, and the output of sacremoses for the lines of tests/fixtures/detokenizer
// (tests/check_detokenizer/make_fixture.py).
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "datasets/files/delimited.h"
#include "datasets/text/detokenization.h"

namespace rethink {
namespace {

std::string english(const std::string& line) {
  return detokenized(line, MosesLanguage::english);
}

std::string german(const std::string& line) {
  return detokenized(line, MosesLanguage::german);
}

TEST(Detokenized, IsWhatSacremosesMakesOfTheLines) {
  const std::filesystem::path file =
      std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/fixtures/detokenizer/lines.tsv";
  DelimitedFile lines(file, '\t', Quoting::none);
  std::map<std::string, size_t> counts;
  while (lines.next()) {
    ASSERT_EQ(lines.fields().size(), 3u);
    const std::string language(lines.fields()[0]), line(lines.fields()[1]);
    EXPECT_EQ(language == "en" ? english(line) : german(line), lines.fields()[2]) << line;
    ++counts[language];
  }
  EXPECT_GT(counts["en"], 40u);
  EXPECT_GT(counts["de"], 30u);
}

TEST(Detokenized, HasClosingMarksAtTheWordBefore) {
  EXPECT_EQ(german("Ja , 5 % ; wer ? er ! so : a \\ b ."), "Ja, 5%; wer? er! so: a\\ b.");
  EXPECT_EQ(german("Nein ... ?! ."), "Nein...?!.");
  EXPECT_EQ(german("a .b c. -"), "a .b c. -");
}

TEST(Detokenized, HasOpeningMarksAndCurrencyAtTheWordBehind) {
  EXPECT_EQ(english("a ( b ) [ c ] { d } e"), "a (b) [c] {d} e");
  EXPECT_EQ(english("\u00bf Que ? \u00a1 si !"), "\u00bfQue? \u00a1si!");
  EXPECT_EQ(english("for $ 5 or \u20ac 4 , ( $ 3 )"), "for $5 or \u20ac4, ($3)");
  // Another word that contains such a sign stays a word.
  EXPECT_EQ(english("US$ 5"), "US$ 5");
  EXPECT_EQ(english("( ( a ) ) . ( , b"), "((a)). (, b");
  // sacremoses' list of currencies lacks bitcoin; Unicode's has it.
  EXPECT_EQ(english("a \u20bf 5"), "a \u20bf5");
}

TEST(Detokenized, HasEnglishContractionsAtTheWordBefore) {
  EXPECT_EQ(english("it &apos;s they 'll ca n't"), "it's they'll ca n't");
  EXPECT_EQ(english("in '99 's"), "in '99's");
  EXPECT_EQ(english("<unk> 's and ( x ) 's"), "<unk>'s and (x)'s");
  EXPECT_EQ(german("wie geht 's"), "wie geht 's");
}

TEST(Detokenized, HasQuotesInPairs) {
  EXPECT_EQ(german("er \" ja \" und \" nein \" ."), "er \"ja\" und \"nein\".");
  EXPECT_EQ(german("\" ' ja ' , so \""), "\"'ja', so\"");
  EXPECT_EQ(german("`` ja `` und '' nein ''"), "``ja`` und ''nein''");
  // German quotes pair with the straight quote. U+201D is not a quote here but a word.
  EXPECT_EQ(german("\u201e ja \u201c , \" so \u201c"), "\u201eja\u201c, \"so\u201c");
  EXPECT_EQ(english("\u201c yes \u201d"), "\u201cyes \u201d");
  // A quote without a closing quote counts as an opening quote.
  EXPECT_EQ(german("\" a"), "\"a");
}

TEST(Detokenized, HasAnEnglishApostropheAtAPlural) {
  EXPECT_EQ(english("the boys ' ball"), "the boys' ball");
  EXPECT_EQ(english("' the boys ' ball"), "'the boys' ball");
  EXPECT_EQ(english("the men ' s"), "the men 's");
  EXPECT_EQ(german("Hans ' Ball"), "Hans 'Ball");
}

TEST(Detokenized, JoinsWordsAtTheHyphenThatPartedThem) {
  EXPECT_EQ(english("well @-@ known"), "well-known");
  EXPECT_EQ(english("a @-@ b @-@ c - d"), "a-b-c - d");
  EXPECT_EQ(english("@-@ a @-@"), "-a-");
  EXPECT_EQ(english("a @-@ @-@ b , @,@"), "a-@-@ b, @,@");
}

TEST(Detokenized, IsNotEscapedAnyMore) {
  EXPECT_EQ(german("a &quot; b &quot; c &#124; d &#91; e &#93;"), "a \"b\" c | d [e]");
  EXPECT_EQ(german("&lt;a&gt; &amp; &apos; b &apos;"), "<a> & 'b'");
  EXPECT_EQ(german("a &bar; &bra; b &ket;"), "a | [b]");
  EXPECT_EQ(german("&amp;lt; &amp;amp; &copy; &"), "&lt; &amp; &copy; &");
}

TEST(Detokenized, HasChineseJapaneseAndKoreanWithoutSpaces) {
  EXPECT_EQ(german("a \u6771 \u4eac b \ud55c \uad6d"), "a \u6771\u4eac b \ud55c\uad6d");
  EXPECT_EQ(german("a\u6771 \u4eac\u4e00 . \u4eac"), "a\u6771\u4eac\u4e00. \u4eac");
}

TEST(Detokenized, HasOneSpaceBetweenWords) {
  EXPECT_EQ(german("  a   b\tc\u00a0d  "), "a b c d");
  EXPECT_EQ(german("( a"), "(a");
  EXPECT_EQ(german(" . a"), ". a");
  EXPECT_EQ(german("'"), "'");
  EXPECT_EQ(german(" "), "");
  EXPECT_EQ(german(""), "");
}

}  // namespace
}  // namespace rethink
