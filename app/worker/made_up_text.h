// Makes meaningless texts, in one language or two, for benchmarks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "datasets/translation/translations.h"
#include "datasets/vocabulary.h"
#include "models/options.h"

namespace rethink {

/// Lines without meaning. Line r has `tokens` - r % (tokens / 10) words, as in a bucket of similar
/// lengths.
struct MadeUpText {
  int64_t count = 0;                       // lines
  int64_t tokens = 0;                      // words of the longest
  std::vector<int32_t> before{}, after{};  // each line's words
};

/// Texts with one vocabulary, by name.
class MadeUpLines : public TokenDataset {
 public:
  /// `vocabulary` is the number of words, special tokens included.
  MadeUpLines(int64_t vocabulary, const std::map<std::string, MadeUpText>& texts);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override;
  TokenSequences sequences(const std::string& split) const override;

 private:
  struct Lines {
    std::vector<uint64_t> offsets = {0};
    std::vector<int32_t> tokens = {};
  };
  Lines lines_of(const MadeUpText& text) const;

  const Vocabulary vocabulary_;
  std::map<std::string, Lines> lines_;
};

/// A translation model and meaningless pairs. The sizes are those of BET's small profile
/// (experiments/sweeps/bet/overall_mt.yaml).
struct MadeUpPairs {
  int64_t encoder_layers = 3, layers = 3, d_model = 128, heads = 4, ffn = 256;
  int64_t vocabulary = 4000, batch = 128, tokens = 20;
  std::string attention = "dense";

  void fields(Fields& field);
  TranslationModelOptions model() const;
  /// Returns the dataset, whose split "train" is one batch.
  std::shared_ptr<TranslationDataset> dataset() const;
};

}  // namespace rethink
