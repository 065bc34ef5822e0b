#include "datasets/sentencepieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "datasets/vocabulary.h"

namespace rethink {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

std::vector<std::string> text() {
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i) {
    lines.push_back("der Mann sieht den Hund und die Hunde");
    lines.push_back("the man sees the dog, and the dogs.");
    lines.push_back("zwölf Männer gehen");
  }
  return lines;
}

TEST(SentencePieces, MakeTheLineAgain) {
  const SentencePieces pieces(SentencePieces::train(text(), 60));
  EXPECT_THAT(pieces.size(), 60);
  for (const std::string line :
       {"der Mann sieht die Hunde", "the dogs, and the dog.", "zwölf", ""}) {
    const std::vector<int32_t> ids = pieces.ids(line);
    EXPECT_THAT(ids, Each(Ge(Vocabulary::kSpecials))) << line;
    EXPECT_EQ(pieces.text(ids), line);
  }
  EXPECT_LT(pieces.ids("the man").size(), 5u) << "frequent words are few pieces";
}

TEST(SentencePieces, HaveTheVocabularysSpecialIds) {
  const SentencePieces pieces(SentencePieces::train(text(), 60));
  for (int32_t id = 0; id < Vocabulary::kSpecials; ++id)
    EXPECT_EQ(pieces.piece(id), Vocabulary::kSpecialTexts[id]);
  EXPECT_THAT(pieces.ids("the 京"), testing::Contains(Vocabulary::kUnknown));
  std::vector<int32_t> ids = pieces.ids("the man");
  ids.insert(ids.begin(), Vocabulary::kStart);
  ids.insert(ids.end(), {Vocabulary::kEnd, Vocabulary::kPadding});
  EXPECT_EQ(pieces.text(ids), "the man");
  EXPECT_EQ(pieces.text({}), "");
}

TEST(SentencePieces, AreAPureFunctionOfTheText) {
  EXPECT_EQ(SentencePieces::train(text(), 60), SentencePieces::train(text(), 60));
}

TEST(SentencePieces, SayWhatIsWrong) {
  EXPECT_THAT([] { SentencePieces::train(text(), 5000); },
              ThrowsMessage<TrialError>(HasSubstr("5000 pieces cannot be learned from 120 lines")));
  EXPECT_THAT([] { SentencePieces::train(text(), 10); },
              ThrowsMessage<TrialError>(HasSubstr("10 pieces cannot be learned")));
  EXPECT_THAT([] { SentencePieces("no model"); },
              ThrowsMessage<TrialError>(HasSubstr("not a model of SentencePiece")));
}

}  // namespace
}  // namespace rethink
