// Reads published files of GLUE, SQuAD, CODAH and of the novels. The tests need RETHINK_DATA, which may
// have samples of the larger files. A whole file must have as many rows as published.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/files/data_files.h"
#include "datasets/labelled/labelled.h"
#include "datasets/labelled/squad.h"
#include "datasets/pretraining/documents.h"
#include "datasets/scores/answers.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class LabelledData : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("RETHINK_DATA");
    ASSERT_NE(folder, nullptr) << "set RETHINK_DATA to the folder of data sets";
    folders_ = {folder, cache_.path()};
  }
  template <typename Kind>
  std::shared_ptr<Kind> open(const std::string& name, const Json& options) {
    return require_kind<Kind>(datasets().make(name, options, folders_), name);
  }
  TempFolder cache_;
  DataFolders folders_;
};

TEST_F(LabelledData, GlueHasAsManyExamplesAsArePublished) {
  for (const char* task : {"cola", "sst2", "mrpc", "stsb", "rte", "wnli"}) {
    const std::string name = std::string("glue/") + task;
    const std::map<std::string, int64_t>& examples = datasets().facts(name).examples;
    const auto dataset = open<LabelledDataset>(name, {{"test", true}});
    for (const auto& [split, count] : examples)
      EXPECT_EQ(dataset->examples(split).size(), static_cast<size_t>(count))
          << name << " " << split;
  }
}

TEST_F(LabelledData, LargerTasksAreReadWholeOrAsASample) {
  for (const char* task : {"qqp", "qnli", "mnli"}) {
    const std::string name = std::string("glue/") + task;
    const DatasetFacts& facts = datasets().facts(name);
    const auto dataset = open<LabelledDataset>(name, Json::object());
    for (const std::string& split : dataset->splits()) {
      EXPECT_GE(dataset->examples(split).size(), 1000u) << name << " " << split;
      EXPECT_LE(dataset->examples(split).size(), static_cast<size_t>(facts.examples.at(split)));
      for (const LabelledExample& example : dataset->examples(split))
        ASSERT_TRUE(example.label.has_value() && example.inputs[0].second.has_value());
    }
  }
}

TEST_F(LabelledData, QuestionsAreReadWholeOrAsASample) {
  for (const char* name : {"squad_v1", "squad_v2"}) {
    const std::map<std::string, int64_t>& published = datasets().facts(name).examples;
    const auto whole = open<QuestionDataset>(name, Json::object());
    const auto part = open<QuestionDataset>(name, {{"train_examples", 64}, {"dev_examples", 100}});
    for (const std::string& split : whole->splits()) {
      const size_t size = whole->split(split).questions.size();
      EXPECT_GE(size, 1000u) << name << " " << split;
      EXPECT_LE(size, static_cast<size_t>(published.at(split))) << name << " " << split;
      EXPECT_EQ(part->split(split).whole_size, size) << name << " " << split;
      EXPECT_EQ(part->split(split).questions.size(), split == "train" ? 64u : 100u) << name;
    }
  }
}

TEST_F(LabelledData, CodahHasAllItsQuestions) {
  const auto codah = open<LabelledDataset>("codah", Json::object());
  EXPECT_EQ(codah->examples("train").size() + codah->examples("dev").size(), 2776u);
}

/// Returns made-up answers, chosen by a question's number: one of its answers, half of it, the first
/// words of the context, nothing, or an answer that is right only after normalizing.
std::map<std::string, std::string> made_up_answers(const QuestionSplit& split,
                                                   NoAnswerProbabilities& no_answer) {
  const auto first_words = [](const std::string& text, size_t count) {
    std::istringstream words(text);
    std::string word, joined_words;
    for (size_t i = 0; i < count && words >> word; ++i)
      joined_words += (joined_words.empty() ? "" : " ") + word;
    return joined_words;
  };
  const auto count_words = [](const std::string& text) {
    std::istringstream words(text);
    return static_cast<size_t>(std::distance(std::istream_iterator<std::string>(words), {}));
  };
  std::map<std::string, std::string> answers;
  for (size_t k = 0; k < split.questions.size(); ++k) {
    const Question& question = split.questions[k];
    const std::string answer = question.answers.empty() ? "" : question.answers.back().text;
    const std::string made[] = {answer, first_words(answer, (count_words(answer) + 1) / 2),
                                first_words(split.contexts[question.context], 5), "",
                                "The " + answer + "!"};
    answers[question.id] = made[k % 5];
    no_answer.emplace_back(question.id, static_cast<double>(k * 37 % 101) / 101);
  }
  return answers;
}

// The values are those of the official scripts evaluate-v1.1.py and evaluate-v2.0.py on the same
// answers, for SQuAD v1.1's dev split and for the half of v2.0's that Stanford's CS224n distributes.
TEST_F(LabelledData, AnswersScoreAsTheOfficialScorersSay) {
  NoAnswerProbabilities no_answer;
  const QuestionSplit one = read_squad(folders_.data / "squad/dev-v1.1.json", "dev");
  ASSERT_EQ(one.questions.size(), 10570u);
  const auto version1 = squad_scores(one.questions, made_up_answers(one, no_answer), {}, {});
  EXPECT_NEAR(version1.at("exact"), 48.524124881740775, 1e-9);
  EXPECT_NEAR(version1.at("f1"), 57.78066276810319, 1e-9);
  no_answer.clear();
  const QuestionSplit two = read_squad(folders_.data / "squad/dev-v2.0.json", "dev");
  if (two.questions.size() != 6078) return;  // the whole split, for which no values are known
  const auto answers = made_up_answers(two, no_answer);
  const auto version2 =
      squad_scores(two.questions, answers, no_answer, {.no_answer = true, .threshold = 0.7});
  EXPECT_NEAR(version2.at("exact"), 60.8752879236591, 1e-9);
  EXPECT_NEAR(version2.at("HasAns_f1"), 40.2035168049802, 1e-9);
  EXPECT_NEAR(version2.at("best_f1"), 58.95580691159109, 1e-9);
  EXPECT_NEAR(version2.at("best_f1_thresh"), 0.9801980198019802, 1e-12);
}

TEST_F(LabelledData, PretrainingTextIsEightNovelsAndSixHundredArticles) {
  const auto text = open<DocumentDataset>("pretrain_text", Json::object());
  EXPECT_EQ(text->documents("train").size(), 608u);
  size_t licence = 0;
  for (const Document& document : text->documents("train")) {
    for (const std::string& sentence : document)
      licence += sentence.find("Literary Archive") != std::string::npos;
  }
  EXPECT_EQ(licence, 0u);
}

}  // namespace
}  // namespace rethink
