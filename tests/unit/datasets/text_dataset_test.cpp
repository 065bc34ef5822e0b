#include "datasets/text/text_dataset.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "datasets/text/syntax_hints.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> words_of(const TokenDataset& dataset, const std::string& split,
                                  size_t index) {
  std::vector<std::string> words;
  for (const int32_t id : dataset.sequences(split)[index])
    words.push_back(dataset.vocabulary().text(id));
  return words;
}

/// A WikiText-2 folder in miniature.
class WikiText2 : public testing::Test {
 protected:
  WikiText2() {
    write_text(folder_ / "wikitext-2/wiki.train.tokens",
               " \n = The Cat = \n \n The cat sat , the <unk> ran . \n");
    write_text(folder_ / "wikitext-2/wiki.valid.tokens", " The cat flew . \n");
    write_text(folder_ / "wikitext-2/wiki.test.tokens", " A cat . \n");
  }
  std::shared_ptr<TokenDataset> open(const Json& options) {
    return require_kind<TokenDataset>(
        datasets().make("wikitext_2", options, {folder_.path(), folder_ / "cache"}), "wikitext_2");
  }
  TempFolder folder_;
};

TEST_F(WikiText2, ReadsEachLineWithWordsAsASequence) {
  const auto dataset = open(Json::object());
  EXPECT_THAT(dataset->splits(), ElementsAre("train", "dev", "test"));
  ASSERT_EQ(dataset->sequences("train").size(), 2u);
  EXPECT_THAT(words_of(*dataset, "train", 0),
              ElementsAre("<start>", "=", "The", "Cat", "=", "<end>"));
  EXPECT_THAT(words_of(*dataset, "train", 1), ElementsAre("<start>", "The", "cat", "sat", ",",
                                                          "the", "<unk>", "ran", ".", "<end>"));
  EXPECT_THAT(words_of(*dataset, "dev", 0),
              ElementsAre("<start>", "The", "cat", "<unk>", ".", "<end>"));
  EXPECT_EQ(dataset->vocabulary().size(), 4u + 9u);
}

TEST_F(WikiText2, SaysWhichFileIsMissingAndHowToGetIt) {
  std::filesystem::remove(folder_ / "wikitext-2/wiki.test.tokens");
  EXPECT_THAT(
      [&] { open(Json::object()); },
      ThrowsMessage<TrialError>(testing::AllOf(HasSubstr("wiki.test.tokens, which does not exist"),
                                               HasSubstr("rethink data get wikitext_2"))));
}

TEST_F(WikiText2, HasTheHintsOfTreesWhoseSentencesItHas) {
  // sat is the root; The -> cat -> sat; ran -> sat, and the words before it, except the comma, -> ran.
  write_text(folder_ / "trees.conllu", [] {
    std::string text;
    int number = 0;
    for (const auto& [word, head] :
         {std::pair("The", 2), std::pair("cat", 3), std::pair("sat", 0), std::pair(",", 3),
          std::pair("the", 6), std::pair("<unk>", 7), std::pair("ran", 3), std::pair(".", 3)})
      text += fmt::format("{}\t{}\t_\t_\t_\t_\t{}\t_\t_\t_\n", ++number, word, head);
    return text;
  }());
  for (const int most : {0, 4}) {
    const auto dataset = open({{"hints", {"trees.conllu"}}, {"max_tokens", most}});
    EXPECT_THAT(dataset->splits(), ElementsAre("train", "dev", "test"));
    const TokenSequences hints = dataset->sequences("train.hints");
    ASSERT_EQ(hints.size(), 2u);
    EXPECT_THAT(hints[0], testing::Each(testing::Lt(0)));
    if (most == 0) {
      EXPECT_THAT(hints[1], ElementsAre(0, 1, 2, 3, 3, 3, 3, 3, kNoCharacters, kNothingToHint));
    }
    EXPECT_EQ(hints[1].size(), dataset->sequences("train")[1].size());
    EXPECT_EQ(dataset->sequences("dev.hints").size(), 1u);
  }
  EXPECT_THROW(open(Json::object())->sequences("train.hints"), TrialError);
  EXPECT_EQ(open({{"hints", {"trees.conllu"}}, {"max_train_sequences", 1}})
                ->sequences("train.hints")
                .size(),
            1u);
}

}  // namespace
}  // namespace rethink
