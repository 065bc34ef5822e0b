// The options of models, as they stand under `model:` in a sweep: language models, encoders, translation
// models; and what their attention variants say of themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/options.h"

namespace rethink {

/// Which layers an entry of `at` is for.
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

/// The variant of every layer, and others at some of them: later entries win.
struct AttentionPlacement {
  std::vector<Choice<"attention", "kind", LayerChoice>> at;

  void fields(Fields& field) {
    field("at", at, "variants of single layers; later entries win").shapes();
  }
};

using AttentionChoice = Choice<"attention", "kind", AttentionPlacement>;

/// Whether the attention of some layer is given the side input `name`.
bool takes_side_input(const AttentionChoice& attention, const std::string& name);
/// Whether the variant of some layer has the fact {"minds_padding": true}: padding that stands behind
/// all that is predicted changes what it learns or gives, so that a decoder must tell it what is
/// padding.
bool minds_padding(const AttentionChoice& attention);
/// The attention under the key `attention` that learns from hints has some in `data.hints`.
std::vector<Rule> rules_of_hints(const std::string& attention);

/// What must hold between `d_model`, `heads` and the options of a layer's triplet heads, whose names
/// begin with `options`.
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
