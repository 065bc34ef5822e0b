#include "datasets/scores/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr std::u32string_view kPunctuation = U"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

std::vector<std::u32string> words_between_white_space(std::u32string_view text) {
  std::vector<std::u32string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool is_article(std::u32string_view word) {
  return word == U"a" || word == U"an" || word == U"the";
}

/// Replaces each article between non-word characters by a space: the regular expression
/// \b(a|an|the)\b of the official scorer, for which a word ends before a combining accent.
std::u32string without_articles(std::u32string_view text) {
  std::u32string kept;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && (is_word_character(text[end]) || is_numeric(text[end]))) ++end;
    if (end == at) {
      kept += text[at++];
      continue;
    }
    const std::u32string_view word = text.substr(at, end - at);
    if (is_article(word)) {
      kept += U' ';
    } else {
      kept += word;
    }
    at = end;
  }
  return kept;
}

std::vector<std::u32string> normalized_words(const std::string& text) {
  std::u32string letters = to_code_points(lower_case(text));
  std::erase_if(letters,
                [](char32_t c) { return kPunctuation.find(c) != std::u32string_view::npos; });
  return words_between_white_space(without_articles(letters));
}

/// Sums over questions, and the scores in percent.
struct Sums {
  double exact = 0, f1 = 0;
  size_t count = 0;

  void add(const AnswerScore& score) {
    exact += score.exact;
    f1 += score.f1;
    ++count;
  }
  void write(const std::string& prefix, std::map<std::string, double>& scores) const {
    if (count == 0) return;
    const auto all = static_cast<double>(count);
    scores[prefix + "exact"] = 100 * exact / all;
    scores[prefix + "f1"] = 100 * f1 / all;
    scores[prefix + "total"] = all;
  }
};

struct Judged {
  AnswerScore score;
  bool has_answer;
  bool is_answered;  // the prediction is not ""
};

bool has_answer(const Question& question) {
  return !question.answers.empty();
}

/// The questions that count: v2.0's scorer keeps them by id, so the last question of equal ids
/// counts.
std::vector<const Question*> counted_questions(const std::vector<Question>& questions,
                                               bool no_answer) {
  std::map<std::string_view, const Question*> last;
  for (const Question& question : questions) last[question.id] = &question;
  std::vector<const Question*> counted;
  for (const Question& question : questions) {
    if (!no_answer || last.at(question.id) == &question) counted.push_back(&question);
  }
  return counted;
}

/// The threshold with the largest sum of `score`, if every question with a probability above it is
/// taken to have no answer.
std::pair<double, double> best_threshold(const std::map<std::string, Judged>& judged,
                                         NoAnswerProbabilities probabilities,
                                         double AnswerScore::*score) {
  std::stable_sort(probabilities.begin(), probabilities.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  double sum = 0;
  for (const auto& [id, one] : judged) sum += one.has_answer ? 0 : 1;
  double best = sum, threshold = 0;
  for (const auto& [id, probability] : probabilities) {
    const auto found = judged.find(id);
    if (found == judged.end()) continue;
    const Judged& one = found->second;
    sum += one.has_answer ? one.score.*score : one.is_answered ? -1 : 0;
    if (sum > best) {
      best = sum;
      threshold = probability;
    }
  }
  return {100 * best / static_cast<double>(judged.size()), threshold};
}

}  // namespace

std::string normalized_answer(const std::string& text) {
  std::u32string joined_words;
  for (const std::u32string& word : normalized_words(text)) {
    if (!joined_words.empty()) joined_words += U' ';
    joined_words += word;
  }
  return to_utf8(joined_words);
}

double exact_match(const std::string& predicted, const std::string& truth) {
  return normalized_words(predicted) == normalized_words(truth) ? 1 : 0;
}

double f1_of_words(const std::string& predicted, const std::string& truth, bool empty_is_right) {
  const std::vector<std::u32string> a = normalized_words(predicted), b = normalized_words(truth);
  if (a.empty() || b.empty()) return empty_is_right && a.empty() && b.empty() ? 1 : 0;
  std::map<std::u32string, size_t> times_true, times_predicted;
  for (const auto& word : b) ++times_true[word];
  for (const auto& word : a) ++times_predicted[word];
  size_t same = 0;
  for (const auto& [word, count] : times_predicted) {
    const auto found = times_true.find(word);
    if (found != times_true.end()) same += std::min(count, found->second);
  }
  if (same == 0) return 0;
  const double precision = static_cast<double>(same) / static_cast<double>(a.size());
  const double recall = static_cast<double>(same) / static_cast<double>(b.size());
  return 2 * precision * recall / (precision + recall);
}

AnswerScore answer_score(const std::string& predicted, const Question& question, bool no_answer) {
  std::vector<std::string> truths;
  for (const Answer& answer : question.answers) {
    if (!no_answer || !normalized_words(answer.text).empty()) truths.push_back(answer.text);
  }
  if (truths.empty()) truths.emplace_back();
  AnswerScore best{0, 0};
  for (const std::string& truth : truths) {
    best.exact = std::max(best.exact, exact_match(predicted, truth));
    best.f1 = std::max(best.f1, f1_of_words(predicted, truth, no_answer));
  }
  return best;
}

std::map<std::string, double> squad_scores(const std::vector<Question>& questions,
                                           const std::map<std::string, std::string>& predictions,
                                           const NoAnswerProbabilities& probabilities,
                                           const SquadScoring& scoring) {
  if (questions.empty()) throw ConfigError("empty-file", "the reference has no question");
  const std::map<std::string, double> by_id(probabilities.begin(), probabilities.end());
  std::map<std::string, Judged> judged;
  Sums all, with_answer, without_answer;
  for (const Question* counted : counted_questions(questions, scoring.no_answer)) {
    const Question& question = *counted;
    const auto found = predictions.find(question.id);
    if (found == predictions.end() && scoring.no_answer)
      throw ConfigError("wrong-count",
                        fmt::format("got no prediction for question '{}'", question.id));
    if (found == predictions.end()) {
      all.add({0, 0});
      continue;
    }
    AnswerScore score = answer_score(found->second, question, scoring.no_answer);
    judged[question.id] = {score, has_answer(question), !found->second.empty()};
    if (!probabilities.empty()) {
      const auto probability = by_id.find(question.id);
      if (probability == by_id.end())
        throw ConfigError("wrong-count",
                          fmt::format("got no probability for question '{}'", question.id));
      if (probability->second > scoring.threshold)
        score.exact = score.f1 = has_answer(question) ? 0 : 1;
    }
    all.add(score);
    (has_answer(question) ? with_answer : without_answer).add(score);
  }
  std::map<std::string, double> scores;
  all.write("", scores);
  if (!scoring.no_answer) return scores;
  with_answer.write("HasAns_", scores);
  without_answer.write("NoAns_", scores);
  if (probabilities.empty()) return scores;
  std::tie(scores["best_exact"], scores["best_exact_thresh"]) =
      best_threshold(judged, probabilities, &AnswerScore::exact);
  std::tie(scores["best_f1"], scores["best_f1_thresh"]) =
      best_threshold(judged, probabilities, &AnswerScore::f1);
  return scores;
}

}  // namespace rethink
