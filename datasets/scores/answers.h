// Exact match and F1 of answers, as the official scorers of SQuAD v1.1 and v2.0 count them
// (Rajpurkar et al. 2016, section 6.1, and 2018, section 5).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "datasets/labelled/questions.h"

namespace rethink {

/// Returns the text in lower case, without ASCII punctuation and the words a, an and the, with one
/// space between words.
std::string normalized_answer(const std::string& text);

/// Returns 1 if the normalized texts are equal, else 0.
double exact_match(const std::string& predicted, const std::string& truth);

/// Returns the F1 of the words that the normalized texts share, 0 to 1. If one has no word, the
/// result is 1 if both have none; v1.1's scorer then returns 0 (`empty_is_right` false).
double f1_of_words(const std::string& predicted, const std::string& truth, bool empty_is_right);

/// The best score over a question's answers. In v2.0 answers without a word do not count, and the
/// right answer to a question without answers is "".
struct AnswerScore {
  double exact, f1;  // 0 to 1
};
AnswerScore answer_score(const std::string& predicted, const Question& question, bool no_answer);

/// Probabilities of no answer, by question id, in the order of the file. This order decides between
/// equal probabilities, as in the official scorer.
using NoAnswerProbabilities = std::vector<std::pair<std::string, double>>;

struct SquadScoring {
  bool no_answer = false;  // v2.0
  double threshold = 1.0;  // a probability above it means: no answer
};

/// Returns exact, f1 and total, in percent and questions. In v2.0 it also returns HasAns_ and
/// NoAns_ of each, if the split has such questions, and, with probabilities, best_exact,
/// best_exact_thresh, best_f1 and best_f1_thresh, which belong to the best threshold. If questions
/// share an id, v1.1 counts each, and v2.0 only the last. In v1.1 a question without a prediction
/// counts as wrong. Throws ConfigError in v2.0 if a question has no prediction or, when
/// probabilities are given, no probability; and if there is no question.
std::map<std::string, double> squad_scores(const std::vector<Question>& questions,
                                           const std::map<std::string, std::string>& predictions,
                                           const NoAnswerProbabilities& probabilities,
                                           const SquadScoring& scoring);

}  // namespace rethink
