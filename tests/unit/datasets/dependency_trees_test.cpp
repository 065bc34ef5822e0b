#include "datasets/text/dependency_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Returns a line of CoNLL-U with the columns that are read.
std::string row(const std::string& number, const std::string& word, const std::string& head) {
  return number + "\t" + word + "\t_\t_\t_\t_\t" + head + "\t_\t_\t_\n";
}

class DependencyTrees : public testing::Test {
 protected:
  std::vector<DependencyTree> read(const std::string& text) const {
    write_text(folder_ / "a.conllu", text);
    return read_dependency_trees(folder_ / "a.conllu");
  }
  const TempFolder folder_;
};

TEST_F(DependencyTrees, AreReadSentenceBySentence) {
  const auto trees = read("# text = The dog sleeps\n" + row("1", "The", "2") +
                          row("2", "dog", "3") + row("2.1", "that", "_") + row("3", "sleeps", "0") +
                          "\n\r\n" + row("1", "Go", "0") + row("2", "!", "1"));
  ASSERT_EQ(trees.size(), 2u);
  EXPECT_THAT(trees[0].words, ElementsAre("The", "dog", "sleeps"));
  EXPECT_THAT(trees[0].heads, ElementsAre(1, 2, DependencyTree::kNone));
  EXPECT_EQ(trees[0].line, 2);
  EXPECT_THAT(trees[1].words, ElementsAre("Go", "!"));
}

TEST_F(DependencyTrees, KeepTheWordsThatATokenSpellsAndJoinOthers) {
  const auto spelt = read(row("1", "I", "3") + row("2-3", "don't", "_") + row("2", "do", "3") +
                          row("3", "n't", "0"));
  EXPECT_THAT(spelt[0].words, ElementsAre("I", "do", "n't"));
  // "zum Haus gehen": zu and dem depend on Haus, and it on gehen.
  const auto joined = read(row("1-2", "zum", "_") + row("1", "zu", "3") + row("2", "dem", "3") +
                           row("3", "Haus", "4") + row("4", "gehen", "0"));
  EXPECT_THAT(joined[0].words, ElementsAre("zum", "Haus", "gehen"));
  EXPECT_THAT(joined[0].heads, ElementsAre(1, 2, DependencyTree::kNone));
  // With b's head, zz and d would depend on each other, so the head of c, the root, counts.
  const auto crossing = read(row("1", "a", "2") + row("2-3", "zz", "_") + row("2", "b", "4") +
                             row("3", "c", "0") + row("4", "d", "3"));
  EXPECT_THAT(crossing[0].words, ElementsAre("a", "zz", "d"));
  EXPECT_THAT(crossing[0].heads, ElementsAre(1, DependencyTree::kNone, 1));
  // A word inside depends on another word inside, so the head of that one counts.
  const auto inside = read(row("1", "Wir", "3") + row("2-3", "gehns", "_") + row("2", "es", "3") +
                           row("3", "gehen", "0"));
  EXPECT_THAT(inside[0].heads, ElementsAre(1, DependencyTree::kNone));
}

TEST_F(DependencyTrees, KnowTheNearestAncestorOnTheLeft) {
  // saw is the root. In "the dog with a tail" dog is below saw, with below tail, a below tail, tail below
  // dog.
  const DependencyTree tree{.words = {"I", "saw", "the", "dog", "with", "a", "tail"},
                            .heads = {1, DependencyTree::kNone, 3, 1, 6, 6, 3}};
  EXPECT_THAT(left_ancestors(tree),
              ElementsAre(DependencyTree::kNone, DependencyTree::kNone, 1, 1, 3, 3, 3));
}

TEST_F(DependencyTrees, SayEveryFlawAndItsPlace) {
  EXPECT_THAT(
      [&] {
        read(row("1", "a", "0") + "b c\n\n" + row("1", "a", "7") + "\n" + row("1", "a", "2") +
             row("2", "b", "1") + "\n" + row("2", "a", "0") + "\n" + row("1", "a", "x") + "\n" +
             row("1-3", "ab", "_") + row("1", "a", "0"));
      },
      ThrowsMessage<ConfigError>(
          AllOf(HasSubstr("a.conllu:2:1: error: got 1 columns, expected the 7 of CoNLL-U"),
                HasSubstr("a.conllu:4:1: error: got the head 7, but the sentence has 1 words"),
                HasSubstr("a.conllu:6:1: error: 'a' depends on itself in the end"),
                HasSubstr("a.conllu:9:1: error: got word 2, expected number 1"),
                HasSubstr("a.conllu:11:1: error: got the head 'x', expected the number of a word"),
                HasSubstr("a.conllu:14:1: error: the token 'ab' has 3 words"))));
  EXPECT_THAT([&] { read("# nothing\n\n"); }, ThrowsCode("empty-file"));
  EXPECT_THAT([&] { read_dependency_trees(folder_ / "b"); },
              ThrowsMessage<ConfigError>(HasSubstr("b: is not a file")));
}

}  // namespace
}  // namespace rethink
