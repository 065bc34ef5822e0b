#include "datasets/text/syntax_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kRoot = DependencyTree::kNone;
constexpr int32_t kEnd = kNothingToHint;

/// Returns a tree with the root saw: the -> dog, I and dog -> saw, with -> tail, a -> tail, tail -> dog.
DependencyTree saw() {
  return {.words = {"I", "saw", "the", "dog", "with", "a", "tail"},
          .heads = {1, kRoot, 3, 1, 6, 6, 3}};
}

/// Returns the tree of "It did n't bark": it, did and n't -> bark.
DependencyTree bark() {
  return {.words = {"It", "did", "n't", "bark"}, .heads = {3, 3, 3, kRoot}};
}

std::vector<int32_t> hints_of(const std::vector<DependencyTree>& trees,
                              const std::vector<std::string>& tokens) {
  return SyntaxHints(trees).of(tokens);
}

TEST(SyntaxHints, AreTheNearestAncestorBeforeTheNextTokenElseTheTokenItself) {
  // While "saw" is predicted, no earlier word is its ancestor, so "I" looks at itself. "dog" and the words
  // before it have saw, "with a tail" has dog.
  EXPECT_THAT(hints_of({saw()}, {"I", "saw", "the", "dog", "with", "a", "tail"}),
              ElementsAre(0, 1, 1, 3, 3, 3, kEnd));
  EXPECT_THAT(hints_of({bark()}, {"It", "did", "n't", "bark"}), ElementsAre(0, 1, 2, kEnd));
}

TEST(SyntaxHints, CountSymbolsWithoutHints) {
  EXPECT_THAT(hints_of({saw()}, {"", "I", "saw", "the", "dog", "with", "a", "tail", ""}),
              ElementsAre(0, 1, 2, 2, 4, 4, 4, kNoCharacters, kEnd));
}

TEST(SyntaxHints, FindASentenceWhoseWordsAreSplitInOtherWays) {
  // "dog with" is one token that begins with dog; "tail" is two.
  EXPECT_THAT(hints_of({saw()}, {"I", "saw", "the", "DOG with", "a", "ta", "il"}),
              ElementsAre(0, 1, 1, 3, 3, 3, kEnd));
  // If an ancestor has two tokens, the hint is the last one.
  EXPECT_THAT(hints_of({saw()}, {"I", "s", "aw", "the", "dog", "with", "a", "tail"}),
              ElementsAre(0, 1, 2, 2, 4, 4, 4, kEnd));
  EXPECT_THAT(hints_of({bark()}, {"\u2581It", "\u2581didn't", "\u2581bark"}),
              ElementsAre(0, 1, kEnd));
}

TEST(SyntaxHints, KnowQuotationMarksAsTreebanksWriteThem) {
  const DependencyTree said{.words = {"\"", "Go", "\"", "she", "said"},
                            .heads = {1, 4, 1, 4, kRoot}};
  EXPECT_THAT(hints_of({said}, {"``", "go", "''", "she", "said"}), ElementsAre(0, 1, 2, 3, kEnd));
}

TEST(SyntaxHints, FindSeveralSentencesOfALineAndOneThatIsCutOff) {
  EXPECT_THAT(hints_of({bark(), saw()},
                       {"I", "saw", "the", "dog", "with", "a", "tail", "It", "did", "n't", "bark"}),
              ElementsAre(0, 1, 1, 3, 3, 3, 6, 7, 8, 9, kEnd));
  EXPECT_THAT(hints_of({bark(), saw()}, {"It", "did", "n't", "bark", "I", "saw", "the"}),
              ElementsAre(0, 1, 2, 3, 4, 5, kEnd));
}

/// max_tokens cuts the last sentence of a sequence. 16 bytes identify it; fewer identify only the next
/// sentence, directly after the one before it.
TEST(SyntaxHints, FindAShortBeginningBehindTheSentenceBeforeItAlone) {
  const std::vector<std::string> barked = {"It", "did", "n't", "bark"},
                                 fifteen = {"I", "saw", "the", "dog", "with", "a"};
  std::vector<std::string> sixteen = fifteen, both = barked;
  sixteen.emplace_back("t");
  both.insert(both.end(), fifteen.begin(), fifteen.end());
  EXPECT_THAT(hints_of({bark(), saw()}, both), ElementsAre(0, 1, 2, 3, 4, 5, 5, 7, 7, kEnd));
  // The sentence is after another one than in the trees, or is the first one in its sequence.
  EXPECT_THAT(hints_of({saw(), bark()}, both),
              ElementsAre(0, 1, 2, kNoHint, kNoHint, kNoHint, kNoHint, kNoHint, kNoHint, kEnd));
  SyntaxHints hints({bark(), saw()});
  EXPECT_THAT(hints.of(barked), ElementsAre(0, 1, 2, kEnd));
  EXPECT_THAT(hints.of(fifteen), ElementsAre(kNoHint, kNoHint, kNoHint, kNoHint, kNoHint, kEnd));

  EXPECT_THAT(hints_of({saw()}, sixteen), ElementsAre(0, 1, 1, 3, 3, 3, kEnd));
  both.emplace_back("t");
  EXPECT_THAT(hints_of({saw(), bark()}, both), ElementsAre(0, 1, 2, 3, 4, 5, 5, 7, 7, 7, kEnd));
}

TEST(SyntaxHints, LeaveOutTextWithoutTrees) {
  EXPECT_THAT(hints_of({saw(), bark()}, {"What", "?", "It", "did", "n't", "bark", "Why"}),
              ElementsAre(kNoHint, 1, 2, 3, 4, kNoHint, kEnd));
  // Two characters begin a sentence, but are a sentence by themselves.
  EXPECT_THAT(hints_of({saw()}, {"I", "s"}), ElementsAre(kNoHint, kEnd));
  EXPECT_THAT(hints_of({saw()}, {"x"}), ElementsAre(kEnd));
}

/// "I", whose line was too short for the corpus, is neither "If" nor all of "I saw ...". The sentence
/// that follows is found.
TEST(SyntaxHints, EndWhereAWordEnds) {
  const DependencyTree one{.words = {"I"}, .heads = {kRoot}};
  const DependencyTree conditional{.words = {"If", "only", "."}, .heads = {1, kRoot, 1}};
  EXPECT_THAT(hints_of({one, conditional}, {"If", "only", "."}), ElementsAre(0, 1, kEnd));
  EXPECT_THAT(hints_of({one}, {"If", "only", "."}), ElementsAre(kNoHint, kNoHint, kEnd));
  EXPECT_THAT(hints_of({one}, {"\u2581so", "\u2581I", "f", "\u2581only"}),
              ElementsAre(kNoHint, kNoHint, kNoHint, kEnd));
  EXPECT_THAT(hints_of({one}, {"a", "I@@", "f", "only"}),
              ElementsAre(kNoHint, kNoHint, kNoHint, kEnd));
  EXPECT_THAT(hints_of({one}, {"a", " ", "I", "f"}),
              ElementsAre(kNoCharacters, kNoHint, kNoHint, kEnd));
  EXPECT_THAT(hints_of({one, bark(), saw()}, {"I", "saw", "the", "dog", "with", "a", "tail"}),
              ElementsAre(0, 1, 1, 3, 3, 3, kEnd));
  // Other words may follow a whole word, and a cut sentence ends anywhere.
  EXPECT_THAT(hints_of({one}, {"a", "I", "only"}), ElementsAre(0, kNoHint, kEnd));
  EXPECT_THAT(hints_of({bark(), saw()}, {"It", "didn't", "bark", "I", "sa"}),
              ElementsAre(0, 1, 2, 3, kEnd));
}

TEST(SyntaxHints, CoverAShareOfTheWordsWithCharacters) {
  const std::vector<int32_t> hints = {0, 1, kNoHint, kNoCharacters, kNothingToHint};
  const std::vector<uint64_t> offsets = {0, 5};
  EXPECT_DOUBLE_EQ(hint_coverage({offsets, hints}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(hint_coverage({}), 0);
}

/// A corpus often repeats a sentence; the order determines its tree.
TEST(SyntaxHints, TakeEqualSentencesInTheirOrder) {
  DependencyTree flat = bark(), deep = bark();
  deep.heads = {kRoot, 0, 0, 0};
  SyntaxHints hints({flat, saw(), deep});
  const std::vector<std::string> sentence = {"It", "did", "n't", "bark"};
  EXPECT_THAT(hints.of(sentence), ElementsAre(0, 1, 2, kEnd));
  hints.of(std::vector<std::string>{"I", "saw", "the", "dog", "with", "a", "tail"});
  EXPECT_THAT(hints.of(sentence), ElementsAre(0, 0, 0, kEnd));
}

}  // namespace
}  // namespace rethink
