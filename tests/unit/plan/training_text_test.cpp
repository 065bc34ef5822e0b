#include "experiments/plan/training_text.h"

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class TrainingTextTest : public testing::Test {
 protected:
  TempFolder folder_;
  TrainingTexts texts_{folder_.path()};

  static DatasetFacts facts_of(const std::string& kind, SplitFiles files = {}) {
    DatasetFacts facts;
    facts.kind = kind;
    facts.files = std::move(files);
    return facts;
  }

  void expect(const DatasetFacts& dataset, const Json& data, double tokens, double pairs) {
    const auto text = texts_.of(dataset, data, 10);
    ASSERT_TRUE(text) << data.dump();
    EXPECT_DOUBLE_EQ(text->tokens, tokens) << data.dump();
    EXPECT_DOUBLE_EQ(text->pairs, pairs) << data.dump();
  }
};

TEST_F(TrainingTextTest, CountsLinesAsTheOptionsCutThem) {
  write_text(folder_ / "train.txt", " a b  c \n\n\xc3\xa4 d\nlong words of a line\n");
  const DatasetFacts dataset = facts_of("text", {{"train", {"train.txt"}}, {"dev", {"dev.txt"}}});
  expect(dataset, {{"protocol", "lines"}, {"max_tokens", 0}}, 3 + 2 + 5, 9 + 4 + 25);
  expect(dataset, {{"protocol", "lines"}, {"max_tokens", 4}}, 3 + 2 + 4, 9 + 4 + 16);
  expect(dataset, {{"protocol", "lines"}, {"min_characters", 5}}, 3 + 5, 9 + 25);
  expect(dataset, {{"protocol", "lines"}, {"max_train_sequences", 2}}, 3 + 2, 9 + 4);
  expect(dataset, {{"protocol", "lines"}, {"unit", "char"}}, 8 + 3 + 20, 64 + 9 + 400);
  expect(dataset, {{"protocol", "lines"}, {"unit", "byte"}}, 8 + 4 + 20, 64 + 16 + 400);
  expect(dataset, {{"protocol", "stream"}, {"max_tokens", 4}}, 10, 10 * 10);
}

TEST_F(TrainingTextTest, TakesTheSizeOfAPackedFileFromTheDataSet) {
  DatasetFacts dataset = facts_of("text", {{"train", {"packed.data"}}});
  dataset.packed =
      PackedText{.lines = 100, .words = 800, .characters = 4000, .dev = 0.125, .test = 0.125};
  write_text(folder_ / "packed.data", std::string("a\0b", 3));
  expect(dataset, {{"protocol", "lines"}, {"max_tokens", 0}}, 75 * 8, 75 * 64);
  expect(dataset, {{"protocol", "lines"}, {"max_tokens", 4}}, 75 * 4, 75 * 16);
  expect(dataset, {{"protocol", "lines"}, {"max_train_sequences", 10}}, 10 * 8, 10 * 64);
  expect(dataset, {{"protocol", "lines"}, {"unit", "char"}}, 75 * 40, 75 * 1600);
  expect(dataset, {{"protocol", "stream"}, {"max_tokens", 4}}, 75 * 8, 75 * 8 * 10);
  const auto dev = texts_.of(dataset, {{"max_train_sequences", 10}}, 10, "dev");
  ASSERT_TRUE(dev);
  EXPECT_DOUBLE_EQ(dev->sequences, 12.5);
  EXPECT_FALSE(texts_.of(dataset, Json::object(), 10, "other"));
}

TEST_F(TrainingTextTest, CountsTheShareOfAFileThatIsTrained) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "one two\n";
  write_text(folder_ / "mine.txt", lines);
  DatasetFacts dataset = facts_of("text");
  dataset.file_options = {"path"};
  Json data{{"path", "mine.txt"}, {"protocol", "lines"}, {"dev", 0.125}, {"test", 0.125}};
  expect(dataset, data, 150, 300);
  data["max_train_sequences"] = 30;
  expect(dataset, data, 60, 120);
  const auto dev = texts_.of(dataset, data, 10, "dev");
  ASSERT_TRUE(dev);
  EXPECT_DOUBLE_EQ(dev->tokens, 25) << "which no limit of training cuts";
  EXPECT_DOUBLE_EQ(dev->sequences, 12.5);
  // If the data set itself splits a file, the file's lines may become several sentences.
  data = {{"protocol", "lines"}, {"max_tokens", 1}};
  expect(facts_of("text", {{"train", {"mine.txt"}}}), data, 200, 2000);
}

TEST_F(TrainingTextTest, CountsTheMeanOfSentencesAndTheirTranslations) {
  write_text(folder_ / "a", "1 2 3 4\n1\n");
  write_text(folder_ / "b", "1 2\n1 2 3\n");
  expect(facts_of("translations", {{"train", {"a", "b"}}}), Json::object(), 5, (17 + 13) / 2.);
}

TEST_F(TrainingTextTest, CountsTheWordsOfTrees) {
  write_text(folder_ / "train.conllu",
             "# text = a b\n1\ta\n2-3\tbc\n2\tb\n3\tc\n3.1\tx\n\n1\ta\n\n");
  const DatasetFacts dataset =
      facts_of("text", {{"train", {"train.conllu"}}, {"dev", {"dev.conllu"}}});
  expect(dataset, Json::object(), 3 + 1, 9 + 1);
}

TEST_F(TrainingTextTest, ExtrapolatesLargeFiles) {
  std::string lines;
  for (int i = 0; i < (20 << 20) / 8; ++i) lines += "one two\n";
  write_text(folder_ / "train.txt", lines);
  const DatasetFacts dataset = facts_of("text", {{"train", {"train.txt"}}, {"dev", {"dev.txt"}}});
  expect(dataset, Json::object(), 2 * (20 << 20) / 8., 4 * (20 << 20) / 8.);
}

TEST_F(TrainingTextTest, IsUnknownForOtherDataAndUnreadableFiles) {
  const SplitFiles files = {{"train", {"t"}}, {"dev", {"d"}}};
  EXPECT_FALSE(texts_.of(facts_of("text", files), Json::object(), 10)) << "missing";
  write_text(folder_ / "t", "one two\n");
  EXPECT_FALSE(texts_.of(facts_of("labelled", files), Json::object(), 10));
  EXPECT_FALSE(texts_.of(facts_of("text"), Json::object(), 10)) << "made up";
  EXPECT_FALSE(TrainingTexts("").of(facts_of("text", files), Json::object(), 10)) << "no folder";
  write_text(folder_ / "t", std::string("one\0two\n", 8));
  EXPECT_FALSE(TrainingTexts(folder_.path()).of(facts_of("text", files), Json::object(), 10))
      << "packed";
}

}  // namespace
}  // namespace rethink
