// Contract of every data set of questions (datasets/labelled/questions.h) and of documents
// (datasets/pretraining/documents.h), with made-up files in its own form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/labelled/questions.h"
#include "datasets/pretraining/documents.h"
#include "tests/support/data_stand_ins.h"
#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;

class QuestionContract : public testing::TestWithParam<std::string> {
 protected:
  QuestionContract() : rows_(write_stand_ins(facts_, folder_ / "data")) {}

  std::shared_ptr<QuestionDataset> open(const Json& options = Json::object()) const {
    return require_kind<QuestionDataset>(
        datasets().make(GetParam(), options, {folder_ / "data", folder_ / "cache"}), GetParam());
  }

  const DatasetFacts& facts_ = datasets().facts(GetParam());
  const TempFolder folder_;
  const std::map<std::string, size_t> rows_;
};

TEST_P(QuestionContract, HasTheSplitsThatItsFactsName) {
  const auto dataset = open();
  EXPECT_EQ(dataset->splits(), facts_.splits);
  for (const std::string& name : dataset->splits()) {
    const QuestionSplit& split = dataset->split(name);
    EXPECT_EQ(split.name, name);
    EXPECT_GT(split.questions.size(), 0u) << name;
    EXPECT_EQ(split.whole_size, split.questions.size()) << name;
    if (rows_.contains(name)) {
      EXPECT_EQ(split.questions.size(), rows_.at(name)) << name;
    }
  }
  EXPECT_THROW(dataset->split("no such split"), TrialError);
}

TEST_P(QuestionContract, SaysWhatItsScorerGives) {
  EXPECT_EQ(facts_.metric, "f1");
  EXPECT_EQ(facts_.metrics, (std::vector<std::string>{"f1", "exact"}));
  if (!facts_.no_answer) {
    EXPECT_FALSE(open()->has_no_answers());
  }
  for (const auto& [split, published] : facts_.examples) {
    EXPECT_THAT(open()->splits(), testing::Contains(split));
    EXPECT_GT(published, 0) << split;
  }
}

TEST_P(QuestionContract, HasAnswersThatStandInTheirContexts) {
  const auto dataset = open();
  for (const std::string& name : dataset->splits()) {
    const QuestionSplit& split = dataset->split(name);
    std::set<std::string> ids;
    for (const Question& question : split.questions) {
      EXPECT_TRUE(ids.insert(question.id).second) << question.id << " twice";
      EXPECT_FALSE(question.text.empty()) << question.id;
      ASSERT_LT(question.context, split.contexts.size()) << question.id;
      const std::string& context = split.contexts[question.context];
      EXPECT_EQ(question.answers.empty(), question.impossible) << question.id;
      EXPECT_TRUE(!question.impossible || dataset->has_no_answers()) << question.id;
      for (const Answer& answer : question.answers) {
        EXPECT_FALSE(answer.text.empty()) << question.id;
        EXPECT_EQ(context.substr(answer.begin, answer.text.size()), answer.text) << question.id;
      }
    }
  }
}

TEST_P(QuestionContract, IsTheSameWhenItIsMadeAgain) {
  const auto one = open(), two = open();
  for (const std::string& name : one->splits()) {
    const QuestionSplit &a = one->split(name), &b = two->split(name);
    EXPECT_EQ(a.contexts, b.contexts);
    ASSERT_EQ(a.questions.size(), b.questions.size());
    for (size_t i = 0; i < a.questions.size(); ++i) {
      EXPECT_EQ(a.questions[i].id, b.questions[i].id);
      EXPECT_EQ(a.questions[i].text, b.questions[i].text);
    }
  }
}

std::vector<std::string> ids_of(const QuestionSplit& split) {
  std::vector<std::string> ids;
  for (const Question& question : split.questions) ids.push_back(question.id);
  return ids;
}

/// Only data sets with these options are tested. Other options may leave a part out, too.
TEST_P(QuestionContract, KeepsTheRequestedNumberOfQuestions) {
  const PluginSchema& schema = datasets().schema(GetParam());
  for (const std::string split : {"train", "dev"}) {
    const std::string option = split + "_examples";
    if (!schema.options.find(option)) continue;
    const auto whole = open(), five = open({{option, 5}}), nine = open({{option, 9}});
    EXPECT_EQ(five->split(split).questions.size(), 5u);
    EXPECT_EQ(five->split(split).whole_size, whole->split(split).questions.size());
    EXPECT_THAT(ids_of(nine->split(split)), testing::IsSupersetOf(ids_of(five->split(split))));
    const std::string other = split == "dev" ? "train" : "dev";
    EXPECT_EQ(ids_of(five->split(other)), ids_of(whole->split(other)));
    EXPECT_EQ(open({{option, 1000}})->split(split).questions.size(),
              whole->split(split).questions.size());
  }
}

TEST_P(QuestionContract, SaysWhatIsMissingAndWhichFileIsWrong) {
  if (facts_.files.empty()) return;
  const std::string file = facts_.files.at("dev").at(0);
  write_text(folder_ / "data" / file, "{\"data\": [{\"paragraphs\": [{\"qas\": []}]}]}");
  EXPECT_THAT([&] { open(); }, testing::ThrowsMessage<ConfigError>(HasSubstr(file)));
  std::filesystem::remove(folder_ / "data" / file);
  EXPECT_THAT([&] { open(); }, testing::ThrowsMessage<TrialError>(testing::AllOf(
                                   HasSubstr(file), HasSubstr("rethink data get " + GetParam()))));
}

class DocumentContract : public testing::TestWithParam<std::string> {
 protected:
  DocumentContract() {
    write_stand_ins(facts_, folder_ / "data");
    const Json defaults = datasets().completed(GetParam(), Json::object());
    for (const std::string& option : facts_.file_options) {
      if (!defaults.at(option).is_array()) continue;  // a vocabulary, which is optional
      options_[option] = {"made_up.txt"};
      write_text(folder_ / "data/made_up.txt", made_up_documents(8));
    }
  }

  /// Returns null if the data set's package is not installed; opening it then names this package.
  std::shared_ptr<DocumentDataset> open() const {
    const auto make = [&] {
      return require_kind<DocumentDataset>(
          datasets().make(GetParam(), options_, {folder_ / "data", folder_ / "cache"}), GetParam());
    };
    for (const auto& [file, hash] : facts_.installed) {
      if (std::filesystem::exists(file)) continue;
      EXPECT_THAT([&] { make(); }, testing::ThrowsMessage<TrialError>(HasSubstr(facts_.package)));
      return nullptr;
    }
    return make();
  }

  const DatasetFacts& facts_ = datasets().facts(GetParam());
  const TempFolder folder_;
  Json options_ = Json::object();
};

TEST_P(DocumentContract, HasDocumentsOfSentencesInEverySplit) {
  const auto dataset = open();
  if (!dataset) return;
  EXPECT_EQ(dataset->splits(), facts_.splits);
  for (const std::string& split : dataset->splits()) {
    EXPECT_GT(dataset->documents(split).size(), 1u) << split;
    for (const Document& document : dataset->documents(split)) {
      EXPECT_FALSE(document.empty()) << split;
      for (const std::string& sentence : document) ASSERT_FALSE(sentence.empty()) << split;
    }
  }
  EXPECT_THROW(dataset->documents("no such split"), TrialError);
  EXPECT_FALSE(facts_.metric.empty());
}

/// The split dev keeps consecutive sentences, so next-sentence prediction can be evaluated on dev.
TEST_P(DocumentContract, HoldsOutSentencesInTheirOrder) {
  const auto dataset = open();
  if (!dataset) return;
  size_t train = 0, dev = 0;
  for (const Document& document : dataset->documents("train")) train += document.size();
  for (const Document& document : dataset->documents("dev")) {
    EXPECT_GE(document.size(), 2u);
    dev += document.size();
  }
  EXPECT_LT(dev, train / 2);
}

TEST_P(DocumentContract, IsTheSameWhenItIsMadeAgain) {
  const auto one = open(), two = open();
  if (!one) return;
  for (const std::string& split : one->splits())
    EXPECT_EQ(one->documents(split), two->documents(split)) << split;
}

std::vector<std::string> names_of_kind(const std::string& kind) {
  std::vector<std::string> names = datasets().names();
  std::erase_if(names,
                [&](const std::string& name) { return datasets().facts(name).kind != kind; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(, QuestionContract, testing::ValuesIn(names_of_kind("questions")),
                         plugin_test_name);
INSTANTIATE_TEST_SUITE_P(, DocumentContract, testing::ValuesIn(names_of_kind("documents")),
                         plugin_test_name);

}  // namespace
}  // namespace rethink
