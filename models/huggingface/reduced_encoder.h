// A part of a pretrained encoder, as an encoder of its own: some of its layers, or its weights in
// DistilBERT's form. Nothing is distilled.
#pragma once

#include <vector>

#include "models/huggingface/config.h"
#include "models/tensor_file.h"

namespace rethink {

struct EncoderReduction {
  std::vector<int64_t> layers = {};  // those that stay, from 1, in their new order; empty = all
  /// No token types: the first type's embedding is added to those of positions, so that one text
  /// gives the same hidden states, and the second part of a pair is no longer told apart. The
  /// pooler, which is another function there, and the head for next sentences are left out.
  bool as_distilbert = false;
};

/// Changes options and weights (by our names, as weights_of gives them) alike. Throws ConfigError
/// when there is no such layer, or the attention is placed at single layers, which have other
/// numbers then.
void reduce_encoder(const EncoderReduction& reduction, EncoderFolder& facts,
                    TensorsByName& weights);

}  // namespace rethink
