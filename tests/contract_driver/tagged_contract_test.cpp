// Contract of every data set of tagged words (datasets/labelled/tagged.h), with made-up files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/labelled/tagged.h"
#include "datasets/scores/entities.h"
#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class TaggedContract : public testing::TestWithParam<std::string> {
 protected:
  TaggedContract() {
    for (const std::string& option : facts_.file_options) {
      options_[option] = option + ".txt";
      write_text(folder_ / "data" / (option + ".txt"),
                 "-DOCSTART- O\n\nEU B-ORG\nrejects O\n\nPeter I-PER\nBlackburn I-PER\n");
    }
  }

  std::shared_ptr<TaggedDataset> open() const {
    return require_kind<TaggedDataset>(
        datasets().make(GetParam(), options_, {folder_ / "data", folder_ / "cache"}), GetParam());
  }

  const DatasetFacts& facts_ = datasets().facts(GetParam());
  Json options_ = Json::object();
  const TempFolder folder_;
};

TEST_P(TaggedContract, HasTheSplitsAndMetricsThatItsFactsName) {
  const auto dataset = open();
  EXPECT_EQ(dataset->splits(), facts_.splits);
  for (const std::string& name : dataset->splits()) {
    EXPECT_EQ(dataset->split(name).name, name);
    EXPECT_GT(dataset->split(name).sentences.size(), 0u) << name;
  }
  EXPECT_THROW(dataset->split("no such split"), TrialError);
  EXPECT_EQ(facts_.metric, "f1");
  EXPECT_EQ(facts_.metrics, (std::vector<std::string>{"f1", "accuracy", "loss"}));
}

TEST_P(TaggedContract, TagsEveryWordWithALabelOfItsOwn) {
  const auto dataset = open();
  const std::vector<std::string>& labels = dataset->labels();
  EXPECT_EQ(labels.front(), "O");
  EXPECT_EQ(labels.size() % 2, 1u);
  for (const std::string& name : dataset->splits()) {
    size_t entities = 0;
    for (const TaggedSentence& sentence : dataset->split(name).sentences) {
      ASSERT_FALSE(sentence.words.empty());
      ASSERT_EQ(sentence.words.size(), sentence.tags.size());
      for (const std::string& word : sentence.words) EXPECT_FALSE(word.empty());
      for (const std::string& tag : iob2_tags(sentence.tags))
        EXPECT_THAT(labels, testing::Contains(tag));
      entities += entities_of(sentence.tags).size();
    }
    EXPECT_GT(entities, 0u) << name;
  }
}

TEST_P(TaggedContract, IsTheSameWhenItIsMadeAgain) {
  const auto one = open(), two = open();
  for (const std::string& name : one->splits()) {
    const auto &a = one->split(name).sentences, &b = two->split(name).sentences;
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].words, b[i].words);
      EXPECT_EQ(a[i].tags, b[i].tags);
    }
  }
}

std::vector<std::string> tagged_names() {
  std::vector<std::string> names = datasets().names();
  std::erase_if(names,
                [](const std::string& name) { return datasets().facts(name).kind != "tagged"; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(, TaggedContract, testing::ValuesIn(tagged_names()), plugin_test_name);

}  // namespace
}  // namespace rethink
