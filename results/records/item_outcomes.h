// Reads a trial's artifact of kind "predictions": values per item of a split, at the reported step.
// These are safetensors [N] of one of these groups:
//   losses  SPLIT/nll f64 and SPLIT/tokens i64; for translations also SPLIT/bleu_counts i64 [N,10]
//           and SPLIT/bleu_smoothed i64 [1], 0 or 1, except in results of old versions
//   labels  SPLIT/predicted and SPLIT/expected f64
//   scores  SPLIT/exact and SPLIT/f1 f64
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

struct ItemOutcomes {
  /// Counts of a translated sentence: right n-grams of 1, 2, 3 and 4 words, all n-grams of these
  /// lengths, its words, and the words of the reference.
  using BleuCounts = std::array<int64_t, 10>;

  std::vector<double> nll{};                            // negative log-likelihood of an item [nats]
  std::vector<int64_t> tokens{};                        // predicted tokens of an item
  std::vector<double> predicted{}, expected{};          // classes, or scores, of an example
  std::map<std::string, std::vector<double>> scores{};  // of a question's answer: "exact", "f1"

  std::vector<BleuCounts> bleu_counts{};  // empty: not in the file
  bool bleu_smoothed = false;             // BLEU is

  /// Returns the number of items.
  size_t size() const;
};

/// Returns whether both may be of the same items: equal numbers, and equal labels or lengths of
/// references.
bool may_be_of_the_same(const ItemOutcomes& one, const ItemOutcomes& other);

/// Returns nothing if the file has no outcomes of the split's items. Throws MachineError if it
/// cannot be read, and ConfigError if it is damaged or has tensors of another type or length.
std::optional<ItemOutcomes> read_item_outcomes(const std::filesystem::path& file,
                                               const std::string& split);

}  // namespace rethink
