// Vocabulary files in the forms that occur in practice, compared with HF tokenizers. For the
// version see tests/check_vocabulary/make_fixture.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "datasets/wordpiece/wordpiece.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;

const std::string kFour = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";

WordPiece vocabulary_of(const std::string& text) {
  return WordPiece::from_text(text, /*cased=*/false, "vocab.txt");
}

std::vector<int32_t> ids_of(const WordPiece& wordpiece, const std::string& text) {
  std::vector<int32_t> ids;
  wordpiece.encode(text, ids);
  return ids;
}

TEST(FieldVocabularies, HaveTheIdsOfHfForEveryPieceAndText) {
  const char* given = std::getenv("RETHINK_VOCABULARIES");
  const Json cases = read_json(given ? given
                                     : std::filesystem::path(RETHINK_SOURCE_DIR) /
                                           "tests/fixtures/vocabularies/hf.json");
  ASSERT_GE(cases.size(), 100u);
  for (const Json& one : cases) {
    const std::string text = one.at("vocabulary");
    const WordPiece wordpiece = WordPiece::from_text(text, one.at("cased"), "vocab.txt");
    const WordPiece again = WordPiece::from_text(wordpiece.to_text(), one.at("cased"), "again");
    for (const auto& [piece, id] : one.at("pieces").items()) {
      if (piece.empty()) continue;  // an id without a piece
      EXPECT_EQ(wordpiece.find(piece), id) << Json(piece) << " of " << one.at("vocabulary");
      EXPECT_EQ(again.find(piece), id) << Json(piece);
      EXPECT_EQ(wordpiece.piece(wordpiece.find(piece)), piece);
    }
    for (size_t index = 0; index < one.at("texts").size(); ++index) {
      EXPECT_EQ(Json(ids_of(wordpiece, one.at("texts")[index])), one.at("ids")[index])
          << one.at("texts")[index] << " with " << one.at("vocabulary");
    }
  }
}

TEST(FieldVocabularies, GiveARepeatedPieceTheIdOfItsLastLine) {
  const WordPiece wordpiece = vocabulary_of(kFour + "[MASK]\na\nb\na\n##b\n");
  EXPECT_THAT(ids_of(wordpiece, "a b ab"), ElementsAre(7, 6, 7, 8));
  EXPECT_EQ(wordpiece.find("a"), 7);
}

TEST(FieldVocabularies, HoldWhiteSpaceEmptyLinesAndControlCharacters) {
  const WordPiece wordpiece = vocabulary_of(kFour + "[MASK]\n\n\u2028\na\n##\u2028\n\u3000\nb\n" +
                                            std::string("b\0c\n", 4) + "c\t\n\n\n");
  EXPECT_EQ(wordpiece.size(), 13u);  // empty lines at the end are no ids
  EXPECT_THAT(ids_of(wordpiece, "a b c \u2028 \u3000"), ElementsAre(7, 10, 12));
}

TEST(FieldVocabularies, EndLinesAtLfAndCrlfAlone) {
  EXPECT_THAT(ids_of(vocabulary_of("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\na\r\nb"), "a b"),
              ElementsAre(5, 6));
  EXPECT_THAT(ids_of(vocabulary_of(kFour + "x\ry\n\u0085z\nq\vr\na\n"), "a x y z"),
              ElementsAre(7, 1, 1, 1));
}

TEST(FieldVocabularies, NeedNoMask) {
  const WordPiece wordpiece = vocabulary_of(kFour + "a\n[\nmask\n]\n");
  EXPECT_EQ(wordpiece.mask(), -1);
  EXPECT_THAT(ids_of(wordpiece, "a [MASK] [SEP]"), ElementsAre(4, 5, 6, 7, 3));
}

/// HF makes a byte order mark a part of the first piece.
TEST(FieldVocabularies, DropAByteOrderMark) {
  const TokenizerVocabulary read = vocabulary_in_text("\xEF\xBB\xBF" + kFour + "a\n", "v.txt");
  EXPECT_EQ(read.note, "v.txt: the byte order mark at its beginning is left out");
  EXPECT_EQ(vocabulary_of("\xEF\xBB\xBF" + kFour + "a\n").to_text(), kFour + "a\n");
  EXPECT_EQ(vocabulary_in_text(kFour, "v.txt").note, "");
}

}  // namespace
}  // namespace rethink
