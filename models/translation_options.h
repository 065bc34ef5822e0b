// The options of a translation model, as they stand under `model:` in a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/options.h"

namespace rethink {

/// An encoder and a decoder (Vaswani et al., 2017). The defaults are fairseq's transformer_iwslt_de_en
/// with the dropout of its recipe, which BET's released scripts use; the variants that BET compares
/// stand in the decoder's self-attention.
struct TranslationModelOptions {
  int64_t encoder_layers = 6, layers = 6;
  int64_t d_model = 512;
  int64_t heads = 4;
  int64_t ffn = 1024;
  double dropout = 0.3;
  double attention_dropout = 0.0, activation_dropout = 0.0;
  std::string activation = "relu";
  std::string shared_embeddings = "all";
  AttentionChoice attention{.name = "dense"};
  AttentionChoice encoder_attention{.name = "dense"};
  AttentionChoice cross_attention{.name = "dense"};

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

}  // namespace rethink
