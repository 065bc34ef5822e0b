#include "datasets/scores/bleu.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rethink {
namespace {

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_point(char c) {
  return c == '.' || c == ',';
}

/// The characters that v13a always separates: ASCII's punctuation except ' , - and .
bool is_mark(char c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/// `apart(text, i)` returns how many bytes from i on are rewritten, and their replacement; with 0
/// bytes, the byte at i stays.
template <typename Rule>
std::string rewritten(const std::string& text, Rule rule) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t length = rule(text, i, result);
    if (length == 0) result += text[i];
    i += std::max<size_t>(length, 1);
  }
  return result;
}

size_t set_marks_apart(const std::string& text, size_t i, std::string& result) {
  if (!is_mark(text[i])) return 0;
  result += {' ', text[i], ' '};
  return 1;
}

/// A period after a character that is not a digit.
size_t set_points_apart(const std::string& text, size_t i, std::string& result) {
  if (i + 1 == text.size() || is_ascii_digit(text[i]) || !is_point(text[i + 1])) return 0;
  result += {text[i], ' ', text[i + 1], ' '};
  return 2;
}

/// A period before a character that is not a digit.
size_t set_last_points_apart(const std::string& text, size_t i, std::string& result) {
  if (i + 1 == text.size() || !is_point(text[i]) || is_ascii_digit(text[i + 1])) return 0;
  result += {' ', text[i], ' ', text[i + 1]};
  return 2;
}

/// A hyphen after a digit.
size_t set_hyphens_apart(const std::string& text, size_t i, std::string& result) {
  if (i + 1 == text.size() || !is_ascii_digit(text[i]) || text[i + 1] != '-') return 0;
  result += {text[i], ' ', '-', ' '};
  return 2;
}

/// The number of occurrences of each n-gram in `words`.
std::map<std::vector<std::string_view>, int64_t> ngrams_of(const std::vector<std::string>& words,
                                                           size_t length) {
  std::map<std::vector<std::string_view>, int64_t> counts;
  for (size_t i = 0; i + length <= words.size(); ++i) {
    const auto first = words.begin() + static_cast<ptrdiff_t>(i);
    ++counts[{first, first + static_cast<ptrdiff_t>(length)}];
  }
  return counts;
}

}  // namespace

/// The rules concern only ASCII, so they can work on bytes.
std::vector<std::string> words_of_13a(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  const std::pair<const char*, const char*> kEntities[] = {
      {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
  for (const auto& [entity, character] : kEntities) replace_all(text, entity, character);
  text = rewritten(" " + text + " ", set_marks_apart);
  text = rewritten(text, set_points_apart);
  text = rewritten(text, set_last_points_apart);
  return words_between_spaces(rewritten(text, set_hyphens_apart));
}

BleuCounts bleu_counts(std::string_view predicted_line, std::string_view reference_line,
                       const BleuRules& rules) {
  const std::vector<std::string> predicted = rules.words(predicted_line),
                                 reference = rules.words(reference_line);
  BleuCounts counts{};
  int64_t *right = counts.data(), *all = right + BleuScore::kLongest;
  for (size_t i = 0; i < BleuScore::kLongest; ++i) {
    const auto there = ngrams_of(reference, i + 1);
    for (const auto& [ngram, count] : ngrams_of(predicted, i + 1)) {
      all[i] += count;
      const auto found = there.find(ngram);
      if (found != there.end()) right[i] += std::min(count, found->second);
    }
  }
  counts[2 * BleuScore::kLongest] = static_cast<int64_t>(predicted.size());
  counts[2 * BleuScore::kLongest + 1] = static_cast<int64_t>(reference.size());
  return counts;
}

void BleuScore::add(const BleuCounts& counts) {
  for (size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
}

void BleuScore::add(std::string_view predicted, std::string_view reference) {
  add(bleu_counts(predicted, reference, rules_));
}

std::array<double, BleuScore::kLongest> BleuScore::precisions() const {
  std::array<double, kLongest> shares{};
  const bool is_any_right =
      std::any_of(counts_.begin(), counts_.begin() + kLongest, [](int64_t n) { return n > 0; });
  if (!is_any_right) return shares;
  double part = 1.0;
  for (size_t i = 0; i < kLongest && counts_[kLongest + i] > 0; ++i) {
    auto right = static_cast<double>(counts_[i]);
    if (counts_[i] == 0 && rules_.smoothing == BleuSmoothing::exponential) right = part /= 2.0;
    shares[i] = 100.0 * right / static_cast<double>(counts_[kLongest + i]);
  }
  return shares;
}

double BleuScore::brevity_penalty() const {
  const int64_t predicted = predicted_words(), reference = reference_words();
  if (predicted >= reference) return 1.0;
  if (predicted == 0) return 0.0;
  return std::exp(1.0 - static_cast<double>(reference) / static_cast<double>(predicted));
}

double BleuScore::value() const {
  double sum = 0.0;
  for (const double precision : precisions()) {
    if (precision == 0.0) return 0.0;
    sum += std::log(precision);
  }
  return brevity_penalty() * std::exp(sum / static_cast<double>(kLongest));
}

double bleu_of_counts(const BleuCounts& counts, bool is_smoothed) {
  BleuScore score(is_smoothed ? kSacreBleu : kMultiBleu);
  score.add(counts);
  return score.value();
}

}  // namespace rethink
