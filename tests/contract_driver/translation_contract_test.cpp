// Contract of every data set of translations (datasets/translation/translations.h), with made-up files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/translation/translations.h"
#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Returns the lines of a file; language and split are in its name. Every split has other sentences.
std::string lines_for(const std::string& file) {
  const bool is_english = file.ends_with(".en") || file.find("target") != std::string::npos;
  const std::string kind = is_english ? "the dog sees " : "der Hund sieht ";
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += kind + std::to_string(file.size()) + " " + "ab"[i % 2] + ".\n";
  return text;
}

class TranslationContract : public testing::TestWithParam<std::string> {
 protected:
  TranslationContract() {
    for (const auto& [split, files] : facts_.files) {
      for (const std::string& file : files) write_text(folder_ / "data" / file, lines_for(file));
    }
    for (const std::string& option : facts_.file_options) {
      if (option == "hints") continue;  // tested in translations_test.cpp
      options_[option] = option;
      write_text(folder_ / "data" / option, lines_for(option));
    }
  }

  std::shared_ptr<TranslationDataset> open(const std::string& unit) {
    options_["unit"] = unit;
    options_["vocabulary"] = 36;
    return require_kind<TranslationDataset>(
        datasets().make(GetParam(), options_, {folder_ / "data", folder_ / "cache"}), GetParam());
  }

  const DatasetFacts& facts_ = datasets().facts(GetParam());
  Json options_ = Json::object();
  const TempFolder folder_;
};

TEST_P(TranslationContract, HasTheSplitsThatItsFactsName) {
  const auto dataset = open("words");
  EXPECT_EQ(dataset->splits(), facts_.splits);
  EXPECT_THROW(dataset->split("no such split"), TrialError);
  EXPECT_EQ(facts_.metric, "bleu");
  EXPECT_TRUE(dataset->is_tokenized());
}

TEST_P(TranslationContract, GivesEachSentenceItsTranslation) {
  for (const std::string unit : {"words", "pieces"}) {
    const auto dataset = open(unit);
    const auto size = static_cast<int32_t>(dataset->vocabulary_size());
    for (const std::string& name : dataset->splits()) {
      const TranslationSplit& split = dataset->split(name);
      ASSERT_GT(split.source.size(), 0u) << name;
      ASSERT_EQ(split.target.size(), split.source.size()) << name;
      ASSERT_EQ(split.references.size(), name == "train" ? 0 : split.target.size()) << name;
      for (size_t i = 0; i < split.source.size(); ++i) {
        const auto source = split.source[i], target = split.target[i];
        EXPECT_EQ(source.back(), Vocabulary::kEnd);
        EXPECT_EQ(target.front(), Vocabulary::kStart);
        EXPECT_EQ(target.back(), Vocabulary::kEnd);
        for (const auto& side : {source, target}) {
          for (const int32_t id : side) EXPECT_TRUE(id >= 0 && id < size) << id;
        }
        const bool is_known = std::ranges::find(target, Vocabulary::kUnknown) == target.end();
        if (name != "train" && is_known) {
          EXPECT_EQ(dataset->text(target), split.references[i]);
        }
      }
    }
  }
}

TEST_P(TranslationContract, IsTheSameIfOpenedAgainOrWithoutItsModel) {
  const auto first = open("pieces");
  std::set<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache")) {
    if (entry.path().extension() == ".pieces") models.insert(entry.path());
  }
  ASSERT_EQ(models.size(), 1u);
  std::filesystem::remove(*models.begin());
  const auto again = open("pieces");
  for (const std::string& name : first->splits()) {
    const TranslationSplit &a = first->split(name), &b = again->split(name);
    ASSERT_EQ(a.source.size(), b.source.size());
    for (size_t i = 0; i < a.source.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(a.source[i], b.source[i]));
      EXPECT_EQ(first->text(a.target[i]), again->text(b.target[i]));
    }
  }
}

std::vector<std::string> translation_names() {
  std::vector<std::string> names = datasets().names();
  std::erase_if(
      names, [](const std::string& name) { return datasets().facts(name).kind != "translations"; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(, TranslationContract, testing::ValuesIn(translation_names()),
                         plugin_test_name);

}  // namespace
}  // namespace rethink
