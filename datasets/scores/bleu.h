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

/// What a precision is where no n-gram of its length is right, else the whole score would be 0.
enum class BleuSmoothing {
  none,
  exponential,  // 1/2, 1/4, ... of one n-gram (NIST's)
};

struct BleuRules {
  std::vector<std::string> (*words)(std::string_view line);
  BleuSmoothing smoothing;
};
/// sacreBLEU as it is when nothing is asked of it, with regard to case.
inline constexpr BleuRules kSacreBleu = {words_of_13a, BleuSmoothing::exponential};
/// Moses' multi-bleu.perl, for text that was tokenized before.
inline constexpr BleuRules kMultiBleu = {words_between_spaces, BleuSmoothing::none};

/// What BLEU is made of: right n-grams of 1, 2, 3 and 4 words, all predicted n-grams likewise,
/// predicted words, words of the reference. Those of sentences add up to those of a corpus.
using BleuCounts = std::array<int64_t, 10>;

/// Of one sentence and its translation by somebody who knows.
BleuCounts bleu_counts(std::string_view predicted, std::string_view reference,
                       const BleuRules& rules);

class BleuScore {
 public:
  static constexpr size_t kLongest = 4;  // words of an n-gram

  explicit BleuScore(const BleuRules& rules) : rules_(rules) {}

  void add(const BleuCounts& counts);
  void add(std::string_view predicted, std::string_view reference);

  /// In percent; 0 without a word.
  double value() const;
  /// Of n-grams of 1 to 4 words [%]; 0 where there are none so long, and all 0 without a right word.
  std::array<double, kLongest> precisions() const;
  /// For being shorter than the references, between 0 and 1.
  double brevity_penalty() const;
  int64_t predicted_words() const { return counts_[2 * kLongest]; }
  int64_t reference_words() const { return counts_[2 * kLongest + 1]; }

 private:
  BleuRules rules_;
  BleuCounts counts_{};
};

/// In percent; `is_smoothed`: exponentially, as sacreBLEU's, else not at all, as multi-bleu.perl's.
double bleu_of_counts(const BleuCounts& counts, bool is_smoothed);

}  // namespace rethink
