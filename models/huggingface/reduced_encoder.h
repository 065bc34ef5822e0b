// Reduction of a pretrained encoder to a smaller encoder: some of its layers, or its weights in
// DistilBERT's form. Nothing is trained or distilled.
#pragma once

#include <vector>

#include "models/huggingface/config.h"
#include "models/tensors/tensor_file.h"

namespace rethink {

struct EncoderReduction {
  std::vector<int64_t> layers = {};  // kept layers, from 1, in their new order; empty = all
  /// Remove token types. The first type's embedding is added to the position embeddings, so that a
  /// single text keeps its hidden states; the two texts of a pair are no longer distinguished. The
  /// pooler, which is another function in DistilBERT, and the head for next sentences are left out.
  bool as_distilbert = false;
};

/// Applies a reduction to options and weights (names as in weights_of). Throws ConfigError if a
/// layer does not exist, and if options name attention of single layers, whose numbers would
/// change.
void reduce_encoder(const EncoderReduction& reduction, EncoderFolder& facts,
                    TensorsByName& weights);

}  // namespace rethink
