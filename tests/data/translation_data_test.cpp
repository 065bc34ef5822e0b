// Reads published translations and dependency trees. The tests need RETHINK_DATA.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/json.h"
#include "datasets/text/dependency_trees.h"
#include "datasets/translation/translations.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class TranslationData : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("RETHINK_DATA");
    ASSERT_NE(folder, nullptr) << "set RETHINK_DATA to the folder of data sets";
    folders_ = {folder, cache_.path()};
  }
  TempFolder cache_;
  DataFolders folders_;
};

TEST_F(TranslationData, Multi30kHasAsManyPairsAsArePublished) {
  const auto dataset = require_kind<TranslationDataset>(
      datasets().make("multi30k", Json::object(), folders_), "multi30k");
  EXPECT_EQ(dataset->split("train").source.size(), 29000u);
  EXPECT_EQ(dataset->split("dev").source.size(), 1014u);
  EXPECT_EQ(dataset->split("test").source.size(), 1000u);
  EXPECT_EQ(dataset->split("test_2017").source.size(), 1000u);
  EXPECT_EQ(dataset->vocabulary_size(), 4000u);
  const TranslationSplit& test = dataset->split("test");
  size_t same = 0;
  for (size_t i = 0; i < test.target.size(); ++i)
    same += dataset->text(test.target[i]) == test.references[i] ? 1 : 0;
  EXPECT_GT(same, 980u) << "pieces give the line again, but for characters that training had not";
}

TEST_F(TranslationData, Wmt17IsReadPairByPair) {
  const auto dataset = require_kind<TranslationDataset>(
      datasets().make("wmt17_en_de", Json::object(), folders_), "wmt17_en_de");
  EXPECT_EQ(dataset->split("train").source.size(), 10000u);
  EXPECT_EQ(dataset->split("dev").source.size(), 3000u);  // newstest2013
  EXPECT_EQ(dataset->split("test").source.size(), 2737u);
}

/// The training text is not available here, so the development set takes its place.
TEST_F(TranslationData, Iwslt14sTokenizedFilesAreReadPairByPair) {
  const auto file = [](const std::string& name) { return "iwslt14.tokenized.de-en/" + name; };
  const auto dataset =
      require_kind<TranslationDataset>(datasets().make("parallel",
                                                       {{"train_source", file("valid.de")},
                                                        {"train_target", file("valid.en")},
                                                        {"dev_source", file("valid.de")},
                                                        {"dev_target", file("valid.en")},
                                                        {"test_source", file("test.de")},
                                                        {"test_target", file("test.en")},
                                                        {"tokenized", true}},
                                                       folders_),
                                       "parallel");
  EXPECT_EQ(dataset->split("train").source.size(), 6969u);
  EXPECT_EQ(dataset->split("test").source.size(), 6750u);
  EXPECT_EQ(dataset->split("test").references.size(), 6750u);
}

TEST_F(TranslationData, EwtHasAsManySentencesAsArePublished) {
  const std::filesystem::path folder = folders_.data / "ud_english_ewt";
  const auto count = [&](const std::string& split) {
    return read_dependency_trees(folder / ("en_ewt-ud-" + split + ".conllu")).size();
  };
  EXPECT_EQ(count("train"), 12544u);
  EXPECT_EQ(count("dev"), 2001u);
  EXPECT_EQ(count("test"), 2077u);
  EXPECT_EQ(read_dependency_trees(folders_.data / "wmt17_en_de/newstest2013.conll.en").size(),
            3000u);
}

}  // namespace
}  // namespace rethink
