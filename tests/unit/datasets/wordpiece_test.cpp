// BERT's tokenizer, compared with HF's (tests/golden/wordpiece has the version), and rules that hold for
// any bytes.
#include "datasets/wordpiece/wordpiece.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "datasets/unicode_text.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

const std::string kSpecials = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";

std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/golden/wordpiece" / name;
}

WordPiece small_vocabulary(bool cased) {
  return WordPiece::from_file(golden_file("vocab.txt"), cased);
}

WordPiece with_pieces(const std::string& lines, bool cased = false) {
  return WordPiece::from_text(kSpecials + lines, cased, "vocab.txt");
}

struct Encoded {
  std::vector<int32_t> ids;
  std::vector<ByteRange> ranges;
};

Encoded encoded(const WordPiece& wordpiece, std::string_view text) {
  Encoded all;
  wordpiece.encode(text, all.ids, all.ranges);
  return all;
}

/// Returns the texts of the ranges.
std::vector<std::string> range_texts(const WordPiece& wordpiece, const std::string& text) {
  std::vector<std::string> texts;
  for (const ByteRange range : encoded(wordpiece, text).ranges)
    texts.push_back(text.substr(range.begin, range.end - range.begin));
  return texts;
}

TEST(WordPiece, GivesThePiecesAndPlacesOfHf) {
  const Json golden = read_json(golden_file("hf.json"));
  ASSERT_GT(golden.at("cases").size(), 50u);
  for (const bool cased : {false, true}) {
    const WordPiece wordpiece = small_vocabulary(cased);
    for (const Json& one : golden.at("cases")) {
      const Json& expected = one.at(cased ? "cased" : "uncased");
      const Encoded got = encoded(wordpiece, one.at("text").get<std::string>());
      EXPECT_EQ(Json(got.ids), expected.at("ids")) << cased << one.at("text");
      if (expected.at("ranges").is_null()) continue;
      Json ranges = Json::array();
      for (const ByteRange range : got.ranges) ranges.push_back({range.begin, range.end});
      EXPECT_EQ(ranges, expected.at("ranges")) << cased << one.at("text");
    }
  }
}

TEST(WordPiece, TakesTheLongestPieceFirst) {
  const WordPiece wordpiece = with_pieces("un\nunaff\n##aff\n##able\n##a\n##ble\n");
  EXPECT_THAT(wordpiece.pieces("unaffable Un"), ElementsAre("unaff", "##able", "un"));
  // No shorter piece is tried if the longest leads nowhere.
  EXPECT_THAT(wordpiece.pieces("unafffa"), ElementsAre("[UNK]"));
}

TEST(WordPiece, KeepsSpecialTokensOfTheTextWhole) {
  const WordPiece wordpiece = with_pieces("a\n[\n]\nmask\n");
  EXPECT_THAT(wordpiece.pieces("a[MASK]a [SEP][CLS]"),
              ElementsAre("a", "[MASK]", "a", "[SEP]", "[CLS]"));
  EXPECT_THAT(wordpiece.pieces("[[PAD]] [mask] [MASK"),
              ElementsAre("[", "[PAD]", "]", "[", "mask", "]", "[", "mask"));
  EXPECT_TRUE(wordpiece.is_special(wordpiece.mask()));
  EXPECT_FALSE(wordpiece.is_special(wordpiece.find("a")));
  EXPECT_THAT(
      (std::vector<int32_t>{wordpiece.padding(), wordpiece.unknown(), wordpiece.classifier(),
                            wordpiece.separator(), wordpiece.mask()}),
      ElementsAre(0, 1, 2, 3, 4));
}

TEST(WordPiece, CallsAWordOfMoreThanAHundredCharactersUnknown) {
  const WordPiece wordpiece = with_pieces("a\n##a\n\u00e9\n##\u00e9\n", true);
  for (const std::string letter : {"a", "\u00e9"}) {
    std::string word;
    for (int count = 0; count < 100; ++count) word += letter;
    EXPECT_EQ(wordpiece.pieces(word).size(), 100u);
    EXPECT_THAT(wordpiece.pieces(word + letter + " a"), ElementsAre("[UNK]", "a"));
    EXPECT_EQ(encoded(wordpiece, " " + word + letter + " a").ranges[0],
              (ByteRange{1, 1 + word.size() + letter.size()}));
  }
}

TEST(WordPiece, SaysWhichBytesOfTheTextAPieceIs) {
  const WordPiece wordpiece = small_vocabulary(false);
  EXPECT_THAT(range_texts(wordpiece,
                          "Caf\u00e9 caf"
                          "e\u0301s"),
              ElementsAre("Caf\u00e9", "cafe", "s"));
  EXPECT_THAT(range_texts(wordpiece,
                          "c\x07"
                          "at\u732bhat"),
              ElementsAre("c\x07"
                          "at",
                          "\u732b", "hat"));
  EXPECT_THAT(range_texts(wordpiece, "catz\u00e9 \u2026 [MASK]"),
              ElementsAre("catz\u00e9", "\u2026", "[MASK]"));
  // U+302E comes before U+1D165 in canonical order, so they share their range.
  const std::string marks =
      "a\u302e\U0001d165"
      "b";
  EXPECT_THAT(range_texts(wordpiece, marks),
              ElementsAre("a", marks.substr(1, 7), marks.substr(1, 7), "b"));
}

TEST(WordPiece, DropsBytesThatAreNotUtf8) {
  const WordPiece wordpiece = small_vocabulary(false);
  for (const std::string bad : {"\xff", "\xc3", "\xe4\xbd", "\xed\xa0\x80", "\xf0\x9f\x98",
                                "\xc0\xaf", "\xf4\x90\x80\x80", "\x80\x80"}) {
    EXPECT_THAT(wordpiece.pieces("ca" + bad + "t " + bad + " hat" + bad),
                ElementsAre("cat", "hat"));
    EXPECT_THAT(range_texts(wordpiece, bad + "ca" + bad + "ts"), ElementsAre("ca" + bad + "ts"));
    EXPECT_TRUE(wordpiece.pieces(bad).empty());
  }
}

TEST(WordPiece, AppendsToExistingPieces) {
  const WordPiece wordpiece = with_pieces("a\nb\n");
  std::vector<int32_t> ids = {7};
  std::vector<ByteRange> ranges;
  wordpiece.encode("a x", ids);
  wordpiece.encode("ab b", ids, ranges);
  EXPECT_THAT(ids, ElementsAre(7, 5, 1, 1, 6));
  EXPECT_THAT(ranges, ElementsAre(ByteRange{0, 2}, ByteRange{3, 4}));
}

TEST(WordPiece, FindsPieces) {
  const WordPiece wordpiece = with_pieces("a\n##a\n##\n#\n", true);
  EXPECT_EQ(wordpiece.size(), 9u);
  for (int32_t id = 0; id < 9; ++id) EXPECT_EQ(wordpiece.find(wordpiece.piece(id)), id);
  for (const char* none : {"", "b", "aa", "##aa", "##b", "[MAS", "###"})
    EXPECT_EQ(wordpiece.find(none), -1) << none;
}

TEST(WordPiece, ReadsWhatItWrites) {
  const WordPiece wordpiece = small_vocabulary(true);
  const WordPiece again = WordPiece::from_text(wordpiece.to_text(), true, "again");
  ASSERT_EQ(again.size(), wordpiece.size());
  EXPECT_EQ(again.to_text(), wordpiece.to_text());
  EXPECT_TRUE(again.is_cased());
  // These are lines of other systems, and a last line without an end.
  EXPECT_EQ(
      WordPiece::from_text("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\na", true, "x").find("a"),
      5);
}

TEST(WordPiece, SaysWhatIsWrongWithAVocabularyAndWhere) {
  const auto reading = [](const std::string& text) {
    return [text] { WordPiece::from_text(text, false, "v.txt"); };
  };
  EXPECT_THAT(reading(kSpecials + "a\n\xff\n"), ThrowsMistake("7:1 invalid-vocabulary"));
  EXPECT_THAT(reading("[PAD]\n[CLS]\n[SEP]\n"),
              ThrowsMessage<ConfigError>(
                  AllOf(HasSubstr("v.txt: error: lacks '[UNK]'"), Not(HasSubstr("[MASK]")))));
  EXPECT_THAT(reading(""), ThrowsMessage<ConfigError>(HasSubstr("lacks '[PAD]'")));
  EXPECT_THAT([] { WordPiece::from_file("none/vocab.txt", false); },
              ThrowsMessage<ConfigError>("none/vocab.txt: got no such file, expected a vocab.txt "
                                         "or a tokenizer.json"));
}

/// Any bytes, and pieces of text that are hard for a tokenizer, in any order.
rc::Gen<std::string> any_text() {
  const auto part =
      rc::gen::weightedOneOf<std::string>({
          {2, rc::gen::container<std::string>(rc::gen::arbitrary<char>())},
          {3, rc::gen::elementOf(std::vector<std::string>{"cat",
                                                          "CATS",
                                                          " ",
                                                          "\t",
                                                          ".",
                                                          "[MASK]",
                                                          "[CLS",
                                                          "]",
                                                          "\u00e9",
                                                          "e\u0301",
                                                          "\u0323",
                                                          "\u4f60",
                                                          "\ud55c",
                                                          "\U0001f600",
                                                          "\u200d",
                                                          "\u00a0",
                                                          "\ufffd",
                                                          "\u302e",
                                                          "\U0001d165",
                                                          "\u0130",
                                                          "\u2260",
                                                          std::string(99, 'a'),
                                                          std::string(1, '\0')})},
          {2, rc::gen::map(rc::gen::inRange<uint32_t>(0, 0x110000),
                           [](uint32_t c) { return to_utf8(std::u32string(1, char32_t{c})); })},
          {2, rc::gen::map(rc::gen::inRange<uint32_t>(0xA0, 0x3100),
                           [](uint32_t c) { return to_utf8(std::u32string(1, char32_t{c})); })},
      });
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(part),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& one : parts) text += one;
                        return text;
                      });
}

RC_GTEST_PROP(WordPieceOfAnyBytes, HasRangesInOrderThatLieInTheText, (bool cased)) {
  const std::string text = *any_text();
  const Encoded got = encoded(small_vocabulary(cased), text);
  RC_ASSERT(got.ids.size() == got.ranges.size());
  ByteRange before;
  for (const ByteRange range : got.ranges) {
    RC_ASSERT(range.begin < range.end);
    RC_ASSERT(range.end <= text.size());
    RC_ASSERT(range.begin >= before.begin);
    RC_ASSERT(range.end >= before.end);
    before = range;
  }
}

RC_GTEST_PROP(WordPieceOfAnyBytes, FindsEachPieceInItsRange, (bool cased)) {
  const std::string text = *any_text();
  const WordPiece wordpiece = small_vocabulary(cased);
  const Encoded got = encoded(wordpiece, text);
  for (size_t index = 0; index < got.ids.size(); ++index) {
    if (got.ids[index] == wordpiece.unknown()) continue;
    const auto [begin, end] = got.ranges[index];
    std::string piece = wordpiece.piece(got.ids[index]);
    if (piece.size() > 2 && piece.starts_with("##")) piece.erase(0, 2);
    BertWords words(std::string_view(text).substr(begin, end - begin), cased);
    RC_ASSERT(words.next());
    RC_ASSERT(words.word().find(piece) != std::string_view::npos);
    RC_ASSERT(!words.next());
  }
}

RC_GTEST_PROP(WordPieceOfAnyBytes, GivesTheSameIdsWithoutRangesAndInParts, (bool cased)) {
  const std::string text = *any_text(), rest = *any_text();
  const WordPiece wordpiece = small_vocabulary(cased);
  std::vector<int32_t> ids;
  wordpiece.encode(text, ids);
  RC_ASSERT(ids == encoded(wordpiece, text).ids);
  wordpiece.encode(rest, ids);
  RC_ASSERT(ids == encoded(wordpiece, text + "\n" + rest).ids);
}

/// Checks every code point by itself: the rules cover each, and a mark that is its own character has no
/// neighbour in its expansion, which the separation into words requires.
TEST(BertCharacters, ExpandEveryCodePoint) {
  for (const bool cased : {false, true}) {
    const BertCharacters& characters = BertCharacters::of(cased);
    for (char32_t c = 0; c < 0x110000; ++c) {
      if (c >= 0xD800 && c < 0xE000) continue;
      const BertExpansion expansion = characters.expand(c);
      const auto is_alone = [](const BertMark& mark) { return mark.role == BertMark::Role::alone; };
      const auto alone =
          std::count_if(expansion.marks, expansion.marks + expansion.count, is_alone);
      EXPECT_TRUE(alone == 0 || (alone == 1 && expansion.count == 1)) << static_cast<uint32_t>(c);
      EXPECT_LE(expansion.count, cased ? 1 : BertExpansion::kMost) << static_cast<uint32_t>(c);
    }
  }
}

}  // namespace
}  // namespace rethink
