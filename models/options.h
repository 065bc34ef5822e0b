// The options of a language model, as they stand under `model:` in a sweep.
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
    field("layers", layers, "layers that get this variant, from 1")
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

/// What must hold between `layers`, `d_model`, `heads` and `attention` of any model.
std::vector<Rule> rules_of_layers();
/// What an encoder's layers, whose attention stands under the key `attention`, are not given.
std::vector<Rule> rules_of_encoder_attention(const std::string& attention);
/// As rules_of_layers, of a decoder, whose attention must not look ahead.
std::vector<Rule> rules_of_decoder_layers();

/// Whether the attention of some layer is given the side input `name`.
bool takes_side_input(const AttentionChoice& attention, const std::string& name);
/// The attention under the key `attention` that learns from hints has some in `data.hints`.
std::vector<Rule> rules_of_hints(const std::string& attention);

/// What must hold of the attention that stands under the key `attention` in so many `layers`.
std::vector<Rule> rules_of_attention(const std::string& attention, const std::string& layers);
/// No variant there has the exception `place` ("causal", "cross", "encoder"); `why`: what is wrong
/// with one.
std::vector<Rule> rules_that_suit(const std::string& attention, const std::string& place,
                                  const std::string& why);

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

}  // namespace rethink
