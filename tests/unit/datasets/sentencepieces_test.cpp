#include "datasets/translation/sentencepieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "datasets/vocabulary.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

TEST(SentencePieces, HaveTheCharactersOfLongLines) {
  std::vector<std::string> lines = text();
  std::string long_line = "京";
  while (long_line.size() < 10000) long_line += " der Hund";
  lines.push_back(long_line);
  const SentencePieces pieces(SentencePieces::train(lines, 60));
  EXPECT_THAT(pieces.ids("京"), Each(Ge(Vocabulary::kSpecials)));
}

TEST(SentencePieces, AreAPureFunctionOfTheText) {
  EXPECT_EQ(SentencePieces::train(text(), 60), SentencePieces::train(text(), 60));
}

TEST(SentencePieces, SayWhatIsWrong) {
  const auto refusal = [](int64_t size) -> std::string {
    try {
      SentencePieces::train(text(), size);
    } catch (const TrialError& error) {
      return error.what();
    }
    return "";
  };
  // The advised size is the last one that can be learned.
  const std::string high = refusal(5000), low = refusal(10);
  EXPECT_THAT(high, testing::StartsWith("5000 pieces cannot be learned from 120 lines: lower "
                                        "data.vocabulary to at most "));
  const int64_t most = std::stoll(high.substr(high.rfind(' ')));
  EXPECT_EQ(refusal(most), "");
  EXPECT_NE(refusal(most + 1), "");
  EXPECT_THAT(low, testing::StartsWith("10 pieces cannot be learned from 120 lines: every "
                                       "character is a piece: raise data.vocabulary to at least "));
  const int64_t least = std::stoll(low.substr(low.rfind(' ')));
  EXPECT_EQ(refusal(least), "");
  EXPECT_NE(refusal(least - 1), "");
  EXPECT_THAT([] { SentencePieces("no model"); }, ThrowsCode("wrong-file"));
}

}  // namespace
}  // namespace rethink
