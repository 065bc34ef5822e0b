#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/error.h"
#include "datasets/wordpiece/trainer.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::ThrowsMessage;

WordPiece trained(const std::vector<std::string>& texts, const WordPieceTraining& options) {
  WordPieceTrainer trainer(options);
  for (const std::string& text : texts) trainer.add(text);
  return trainer.train();
}

/// The pieces behind the special tokens.
std::vector<std::string> own_pieces(const WordPiece& wordpiece) {
  std::vector<std::string> pieces;
  for (int32_t id = 5; static_cast<size_t>(id) < wordpiece.size(); ++id)
    pieces.push_back(wordpiece.piece(id));
  return pieces;
}

// The example of Sennrich et al. (2016), section 3.2, without their end-of-word mark: low 5, lower
// 2, newest 6, widest 3. By hand: es 9, est 9, then ow 7 ties with lo 7 and comes first in bytes
// ("##ow"), low 7, then ew 6 ties with west 6 and ne 6.
TEST(WordPieceTrainer, JoinsTheMostFrequentNeighbours) {
  std::string text;
  for (int count = 0; count < 6; ++count)
    text += std::string("newest ") + (count < 5 ? "low " : "") + (count < 2 ? "lower " : "") +
            (count < 3 ? "widest " : "");
  const WordPiece wordpiece = trained({text}, {.size = 23});
  EXPECT_THAT(own_pieces(wordpiece),
              ElementsAre("l", "n", "w", "##d", "##e", "##i", "##o", "##r", "##s", "##t", "##w",
                          "##es", "##est", "##ow", "low", "##ew", "##ewest", "newest"));
  EXPECT_THAT(wordpiece.pieces("lowest newest wider"),
              ElementsAre("low", "##est", "newest", "w", "##i", "##d", "##e", "##r"));
}

TEST(WordPieceTrainer, PutsSpecialTokensFirst) {
  const WordPiece wordpiece = trained({"a [MASK] b"}, {.size = 100});
  EXPECT_EQ(wordpiece.to_text(), "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n");
}

TEST(WordPieceTrainer, JoinsOverlappingNeighboursFromTheLeft) {
  const WordPiece wordpiece = trained({"aaaaa aaaaa"}, {.size = 100});
  EXPECT_THAT(own_pieces(wordpiece), ElementsAre("a", "##a", "##aa", "##aaaa", "aaaaa"));
}

TEST(WordPieceTrainer, FollowsTheCase) {
  EXPECT_THAT(own_pieces(trained({"\u00c9 A"}, {.size = 100, .cased = true})),
              ElementsAre("A", "\u00c9"));
  EXPECT_THAT(own_pieces(trained({"\u00c9 A"}, {.size = 100})), ElementsAre("a", "e"));
}

TEST(WordPieceTrainer, LeavesRareCharactersOut) {
  const WordPiece wordpiece = trained({"aa aa ab c c c"}, {.size = 100, .max_characters = 2});
  EXPECT_THAT(own_pieces(wordpiece), ElementsAre("a", "c", "##a", "aa"));
  EXPECT_THAT(wordpiece.pieces("aa ab"), ElementsAre("aa", "[UNK]"));
}

TEST(WordPieceTrainer, RefusesWhatMakesNoVocabulary) {
  EXPECT_THAT(
      [] {
        trained({" \n", "[SEP]"}, {});
      },
      ThrowsMessage<ConfigError>("the texts for a vocabulary contain no words"));
  EXPECT_THAT([] { trained({"abc"}, {.size = 7}); }, ThrowsCode("invalid-value"));
  EXPECT_EQ(trained({"abc"}, {.size = 8}).size(), 8u);
}

/// Words of few letters, so that there are ties and overlaps.
rc::Gen<std::vector<std::string>> few_letters() {
  return rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc "))))));
}

RC_GTEST_PROP(WordPieceTrainerOfAnyText, KnowsEveryWordOfItWhateverItsOrder, ()) {
  std::vector<std::string> texts = *few_letters();
  texts.push_back("abc");
  const size_t size = *rc::gen::inRange<size_t>(11, 40);
  const WordPiece wordpiece = trained(texts, {.size = size});
  RC_ASSERT(wordpiece.size() <= size);
  for (const std::string& text : texts) {
    std::string joined;
    for (const std::string& piece : wordpiece.pieces(text)) {
      RC_ASSERT(piece != "[UNK]");
      joined += piece.starts_with("##") ? piece.substr(2) : " " + piece;
    }
    std::string words;
    BertWords all(text, false);
    while (all.next()) words += " " + std::string(all.word());
    RC_ASSERT(joined == words);
  }
  std::reverse(texts.begin(), texts.end());
  RC_ASSERT(trained(texts, {.size = size}).to_text() == wordpiece.to_text());
}

}  // namespace
}  // namespace rethink
