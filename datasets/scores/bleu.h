// BLEU of a corpus (Papineni et al., 2002), counted as sacreBLEU 2 and Moses' multi-bleu.perl do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/unicode_text.h"

namespace rethink {

/// Words as NIST's mteval-v13a takes them, sacreBLEU's default (its tokenizer "13a").
std::vector<std::string> words_of_13a(std::string_view line);

/// Precision in place of 0 if no n-gram of a length is right, since 0 would make the whole score 0.
enum class BleuSmoothing {
  none,
  exponential,  // 1/2, 1/4, ... of one n-gram (NIST's)
};

struct BleuRules {
  std::vector<std::string> (*words)(std::string_view line);
  BleuSmoothing smoothing;
};
/// sacreBLEU's default, which is case-sensitive.
inline constexpr BleuRules kSacreBleu = {words_of_13a, BleuSmoothing::exponential};
/// Moses' multi-bleu.perl, for text that was tokenized before.
inline constexpr BleuRules kMultiBleu = {words_between_spaces, BleuSmoothing::none};

/// Counts of BLEU: right n-grams of 1, 2, 3 and 4 words, all predicted n-grams of these lengths,
/// predicted words, words of the reference. Counts of sentences add up to counts of a corpus.
using BleuCounts = std::array<int64_t, 10>;

/// Returns the counts of one sentence and its reference translation.
BleuCounts bleu_counts(std::string_view predicted, std::string_view reference,
                       const BleuRules& rules);

class BleuScore {
 public:
  static constexpr size_t kLongest = 4;  // words of an n-gram

  explicit BleuScore(const BleuRules& rules) : rules_(rules) {}

  void add(const BleuCounts& counts);
  void add(std::string_view predicted, std::string_view reference);

  /// Returns BLEU in percent; 0 without a word.
  double value() const;
  /// Returns the precisions of n-grams of 1 to 4 words [%]; 0 if no sentence is so long, and all 0
  /// without a right word.
  std::array<double, kLongest> precisions() const;
  /// Penalty for translations shorter than the references, between 0 and 1.
  double brevity_penalty() const;
  int64_t predicted_words() const { return counts_[2 * kLongest]; }
  int64_t reference_words() const { return counts_[2 * kLongest + 1]; }

 private:
  BleuRules rules_;
  BleuCounts counts_{};
};

/// Returns BLEU in percent, from counts. With `is_smoothed` it is smoothed exponentially, as in
/// sacreBLEU, else not at all, as in multi-bleu.perl.
double bleu_of_counts(const BleuCounts& counts, bool is_smoothed);

}  // namespace rethink
