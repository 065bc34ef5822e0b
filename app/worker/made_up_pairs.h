// A translation model and pairs of no meaning, which benchmarks have in common. The sizes are those
// of BET's small profile (experiments/sweeps/bet/overall_mt.yaml).
#pragma once

#include <memory>
#include <string>

#include "datasets/translation/translations.h"
#include "models/translation_options.h"

namespace rethink {

struct MadeUpPairs {
  int64_t encoder_layers = 3, layers = 3, d_model = 128, heads = 4, ffn = 256;
  int64_t vocabulary = 4000, batch = 128, tokens = 20;
  std::string attention = "dense";

  void fields(Fields& field);
  TranslationModelOptions model() const;
  /// Its split "train" is one batch.
  std::shared_ptr<TranslationDataset> dataset() const;
};

}  // namespace rethink
