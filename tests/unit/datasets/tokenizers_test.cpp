#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "datasets/tokenizers/tokenizer.h"

namespace rethink {
namespace {

using testing::ElementsAre;

std::vector<std::string> words(const std::string& tokenizer, const std::string& line) {
  return tokenizers().make(tokenizer, Json::object())->tokenize(line);
}

std::vector<std::string> sentences(const std::string& line) {
  return tokenizers().make("nltk", Json::object())->sentences(line);
}

TEST(SpaceTokenizer, SplitsAtWhiteSpaceOnly) {
  EXPECT_THAT(words("space", "  The <unk>\tcat's @-@ tail .\n"),
              ElementsAre("The", "<unk>", "cat's", "@-@", "tail", "."));
  EXPECT_TRUE(words("space", " \n").empty());
}

// The tokens are those of NLTK 3.7's word_tokenize for the same lines.
TEST(NltkTokenizer, PartsPunctuationAndClitics) {
  EXPECT_THAT(words("nltk", "they'll say it's john's dog, isn't it?"),
              ElementsAre("they", "'ll", "say", "it", "'s", "john", "'s", "dog", ",", "is", "n't",
                          "it", "?"));
  EXPECT_THAT(words("nltk", "\"quoted\" (text) costs $3,000.50; 50% [more]..."),
              ElementsAre("``", "quoted", "''", "(", "text", ")", "costs", "$", "3,000.50", ";",
                          "50", "%", "[", "more", "]", "..."));
  EXPECT_THAT(words("nltk", "i cannot, gonna -- wanna go"),
              ElementsAre("i", "can", "not", ",", "gon", "na", "--", "wan", "na", "go"));
}

TEST(NltkTokenizer, TakesWikiTextsMarksApart) {
  EXPECT_THAT(words("nltk", " the <unk> @-@ old 2 @,@ 000 men . \n"),
              ElementsAre("the", "<", "unk", ">", "@", "-", "@", "old", "2", "@", ",", "@", "000",
                          "men", "."));
}

TEST(NltkTokenizer, PartsThePeriodOfEachSentenceButNotOfAbbreviations) {
  EXPECT_THAT(words("nltk", "He met Dr. Smith. It rained in the u.s. that day."),
              ElementsAre("He", "met", "Dr.", "Smith", ".", "It", "rained", "in", "the", "u.s.",
                          "that", "day", "."));
}

TEST(NltkTokenizer, SplitsSentencesWithTheirClosingMarks) {
  EXPECT_THAT(sentences("\"Stop!\" he said. (He ran.) Why? In 1942. by J. Bach"),
              ElementsAre("\"Stop!\"", "he said.", "(He ran.)", "Why?", "In 1942. by J. Bach"));
}

}  // namespace
}  // namespace rethink
