// The values are those of SQuAD's official evaluate-v2.0.py and evaluate-v1.1.py under Python 3.11.
#include "datasets/scores/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct AnswerCase {
  Question question;
  std::string predicted;
  double no_answer;
};

AnswerCase answer_case(const std::string& id, const std::vector<std::string>& answers,
                       const std::string& predicted, double no_answer) {
  AnswerCase one{{id, "?", 0, {}, answers.empty()}, predicted, no_answer};
  for (const std::string& answer : answers) one.question.answers.push_back({answer, 0});
  return one;
}

std::vector<AnswerCase> cases() {
  return {answer_case("q1", {"The Cat's hat!", "a hat"}, "cat hat", 0.1),
          answer_case("q2", {"Æsop"}, "the æsop", 0.2),
          answer_case("q3", {"a-b"}, "AB", 0.3),
          answer_case("q4", {}, "", 0.9),
          answer_case("q5", {}, "an owl", 0.4),
          answer_case("q6", {"the"}, "", 0.5),
          answer_case("q7", {"5½ km", "km"}, "5½  km in a car", 0.5),
          answer_case("q8", {"Île-de-France"}, "iledefrance", 0.8),
          answer_case("q9", {"one two two"}, "two two two the", 0.05),
          answer_case("q10", {}, "a", 0.95),
          answer_case("q11", {"An an AN x"}, "x", 0.6)};
}

struct Scored {
  std::vector<Question> questions;
  std::map<std::string, std::string> predictions;
  NoAnswerProbabilities probabilities;
};

Scored scored(bool with_unanswerable) {
  Scored all;
  for (const AnswerCase& one : cases()) {
    if (one.question.impossible && !with_unanswerable) continue;
    all.questions.push_back(one.question);
    all.predictions[one.question.id] = one.predicted;
    all.probabilities.emplace_back(one.question.id, one.no_answer);
  }
  return all;
}

TEST(Answers, AreNormalizedAsTheOfficialScorerDoes) {
  EXPECT_EQ(normalized_answer("  The  quick, (brown) fox!"), "quick brown fox");
  EXPECT_EQ(normalized_answer("a"), "");
  EXPECT_EQ(normalized_answer("théâtre the_end an—the"), "théâtre theend —");
  EXPECT_EQ(normalized_answer("It's A \u00a0b"), "its b");
  EXPECT_EQ(normalized_answer("ΑΣ the Σ"), "ας σ");
  EXPECT_EQ(normalized_answer("a² the.end"), "a² theend");
  EXPECT_EQ(normalized_answer("x\u0301 a\u0301"), "x\u0301 \u0301");
}

TEST(Answers, AreScoredAsTheOfficialScorerOfVersion2Does) {
  const Scored all = scored(true);
  const auto scores = squad_scores(all.questions, all.predictions, {}, {.no_answer = true});
  const std::map<std::string, double> expected = {{"exact", 54.54545454545455},
                                                  {"f1", 72.72727272727273},
                                                  {"total", 11},
                                                  {"HasAns_exact", 50.0},
                                                  {"HasAns_f1", 75.0},
                                                  {"HasAns_total", 8},
                                                  {"NoAns_exact", 66.66666666666667},
                                                  {"NoAns_f1", 66.66666666666667},
                                                  {"NoAns_total", 3}};
  ASSERT_EQ(scores.size(), expected.size());
  for (const auto& [name, value] : expected) EXPECT_NEAR(scores.at(name), value, 1e-12) << name;
}

TEST(Answers, BestThresholdsAreTheOfficialScorers) {
  const Scored all = scored(true);
  const auto scores = squad_scores(all.questions, all.predictions, all.probabilities,
                                   {.no_answer = true, .threshold = 0.45});
  const std::map<std::string, double> expected = {
      {"exact", 36.36363636363637},      {"f1", 48.48484848484848},
      {"HasAns_f1", 41.666666666666664}, {"NoAns_f1", 66.66666666666667},
      {"best_exact", 54.54545454545455}, {"best_exact_thresh", 0.6},
      {"best_f1", 72.72727272727273},    {"best_f1_thresh", 0.6}};
  for (const auto& [name, value] : expected) EXPECT_NEAR(scores.at(name), value, 1e-12) << name;
}

TEST(Answers, AreScoredAsTheOfficialScorerOfVersion1Does) {
  Scored all = scored(false);
  all.predictions.erase("q8");  // counts as wrong
  const auto scores = squad_scores(all.questions, all.predictions, {}, {});
  EXPECT_NEAR(scores.at("exact"), 50.0, 1e-12);
  EXPECT_NEAR(scores.at("f1"), 62.5, 1e-12);
}

TEST(Answers, NothingIsRightInVersion2Only) {
  EXPECT_EQ(f1_of_words("the", "", true), 1);
  EXPECT_EQ(f1_of_words("the", "", false), 0);
  EXPECT_EQ(f1_of_words("x", "", true), 0);
  EXPECT_EQ(exact_match("the", ""), 1);
}

TEST(Answers, AskForMissingPredictions) {
  Scored all = scored(true);
  const auto score = [&] {
    squad_scores(all.questions, all.predictions, all.probabilities, {.no_answer = true});
  };
  all.probabilities.pop_back();
  EXPECT_THAT(score, ThrowsMessage<ConfigError>(HasSubstr("no probability for question 'q11'")));
  all.predictions.erase("q2");
  EXPECT_THAT(score, ThrowsMessage<ConfigError>(HasSubstr("no prediction for question 'q2'")));
  all.questions.clear();
  EXPECT_THAT(score, ThrowsCode("empty-file"));
}

}  // namespace
}  // namespace rethink
