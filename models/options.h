// Options of language models, encoders and translation models, as written under `model:` in a
// sweep, and questions about the facts of their attention variants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/options.h"

namespace rethink {

/// Layers to which an entry of `at` applies.
struct LayerChoice {
  std::vector<int64_t> layers;
  std::optional<int64_t> heads;

  void fields(Fields& field) {
    field("layers", layers, "layers that get this variant, counted from 1")
        .required()
        .not_empty()
        .any_order()
        .min(1);
    field("heads", heads, "attention heads of these layers; null = the model's").min(1);
  }
};

/// Exceptions from the variant of all layers. Later entries override earlier ones.
struct AttentionPlacement {
  std::vector<Choice<"attention", "kind", LayerChoice>> at;

  void fields(Fields& field) {
    field("at", at, "variants of single layers; later entries win").shapes();
  }
};

using AttentionChoice = Choice<"attention", "kind", AttentionPlacement>;

/// Returns whether the attention of any layer reads the side input `name`.
bool takes_side_input(const AttentionChoice& attention, const std::string& name);
/// Returns whether the variant of any layer has the fact {"minds_padding": true}. Its result or its
/// training depends even on padding behind the last predicted token, so a decoder must pass the
/// padding mask.
bool minds_padding(const AttentionChoice& attention);
/// Returns the rule that the attention under the key `attention` finds hints in `data.hints` if it
/// learns from hints.
std::vector<Rule> rules_of_hints(const std::string& attention);

/// Returns the rules for `d_model`, `heads` and the options of a layer's triplet heads. `options`
/// is the prefix of these options' names.
std::vector<Rule> rules_of_triplets(const std::string& options);

/// A decoder language model. The defaults follow the text of BET (arXiv 2210.03985, sections 2 and
/// 4.1) and, where it is silent, the transformer that it starts from (Vaswani et al., 2017);
/// docs/fidelity.md has the list.
struct ModelOptions {
  int64_t layers = 6;
  int64_t d_model = 300;
  int64_t heads = 1;
  int64_t ffn = 2048;
  double dropout = 0.1;
  std::optional<double> attention_dropout;
  std::optional<double> embedding_dropout;
  double activation_dropout = 0.0;
  bool attention_dropout_at_evaluation = false;
  std::string activation = "relu";
  std::string positions = "sinusoidal";
  int64_t max_positions = 512;
  bool embedding_scale = false;
  bool tied_output = false;
  AttentionChoice attention{.name = "dense"};

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

/// A BERT encoder. The defaults are BERT-base's (Devlin et al., 2019, section 3, and the released
/// code's modeling.py).
struct EncoderOptions {
  int64_t layers = 12;
  int64_t d_model = 768;
  int64_t heads = 12;
  int64_t ffn = 3072;
  double dropout = 0.1;
  std::optional<double> attention_dropout;
  std::string activation = "gelu";
  int64_t max_positions = 512;
  int64_t token_types = 2;
  std::string pooled = "tanh";
  AttentionChoice attention{.name = "dense"};

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

/// An encoder and a decoder (Vaswani et al., 2017). The defaults are fairseq's
/// transformer_iwslt_de_en with the dropout of its recipe, which BET's released scripts use. The
/// variants that BET compares replace the decoder's self-attention.
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
