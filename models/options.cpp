#include "models/options.h"

#include <algorithm>

#include "core/config/schema.h"
#include "core/json.h"
#include "models/attention/attention.h"

namespace rethink {

namespace {

constexpr const char* kDivisor =
    "heads must divide d_model: each head gets d_model / heads channels";

/// Returns the names of the variants of all layers.
std::vector<std::string> variants_of(const AttentionChoice& attention) {
  std::vector<std::string> names = {attention.name};
  for (const auto& entry : attention.common.at) names.push_back(entry.name);
  return names;
}

/// Returns the rule that no variant under the key has the exception `place` ("causal", "cross",
/// "encoder"). `why` says in messages why such a variant is wrong.
std::vector<Rule> rules_that_suit(const std::string& attention, const std::string& place,
                                  const std::string& why) {
  std::vector<Rule> all;
  for (const char* kind : {".kind", ".at.kind"})
    all.push_back(has_no_exception(attention + kind, "attention", place, why));
  return all;
}

/// Returns the rules for the attention under the key `attention` of `layers` layers.
std::vector<Rule> rules_of_attention(const std::string& attention, const std::string& layers) {
  std::vector<Rule> all = {
      divides(attention + ".at.heads", "d_model", kDivisor),
      at_most(attention + ".at.layers", layers,
              "layers count from 1, and `" + layers + "` says how many the model has"),
      at_most_one_of({attention + ".at.heads", attention + ".at.triplet_heads"},
                     "heads are all heads of an entry's layers, and where some are triplet heads "
                     "every layer has the model's: leave heads out, and give how many are triplet "
                     "heads as triplet_heads")};
  for (const Rule& rule : rules_of_triplets(attention + ".")) all.push_back(rule);
  for (const Rule& rule : rules_of_triplets("")) all.push_back(rule.of_each(attention + ".at"));
  return all;
}

/// Returns the rules for `layers`, `d_model`, `heads` and `attention` of any model.
std::vector<Rule> rules_of_layers() {
  std::vector<Rule> all = {divides("heads", "d_model", kDivisor)};
  for (const Rule& rule : rules_of_attention("attention", "layers")) all.push_back(rule);
  return all;
}

/// Returns the rules that the attention under the key `attention` needs nothing that encoders lack.
std::vector<Rule> rules_of_encoder_attention(const std::string& attention) {
  return rules_that_suit(attention, "encoder",
                         "an encoder is not given what this attention learns from");
}

/// Returns rules_of_layers for a decoder, whose attention must not see later tokens.
std::vector<Rule> rules_of_decoder_layers() {
  std::vector<Rule> all = rules_of_layers();
  for (const Rule& rule : rules_that_suit(
           "attention", "causal", "a decoder must not look ahead, and this attention would"))
    all.push_back(rule);
  return all;
}

/// Fields of every model.
void declare_widths(Fields& field, int64_t& d_model, int64_t& heads, int64_t& ffn) {
  field("d_model", d_model, "width of embeddings and hidden states").min(1).shapes();
  field("heads", heads, "attention heads of a layer; divides d_model").min(1).shapes();
  field("ffn", ffn, "width of the feed-forward layer's hidden part").min(1).shapes();
}

}  // namespace

void ModelOptions::fields(Fields& field) {
  field("layers", layers, "decoder layers").min(1).shapes();
  declare_widths(field, d_model, heads, ffn);
  field("dropout", dropout, "probability, on the output of every sub-layer").min(0).below(1);
  field("attention_dropout", attention_dropout, "probability, on attention weights; null = dropout")
      .min(0)
      .below(1);
  field("embedding_dropout", embedding_dropout,
        "probability, on embeddings plus positions; null = dropout")
      .min(0)
      .below(1);
  field("activation_dropout", activation_dropout, "probability, inside the feed-forward layer")
      .min(0)
      .below(1);
  field("attention_dropout_at_evaluation", attention_dropout_at_evaluation,
        "keep attention dropout on in evaluations, as BET's released code does");
  field("activation", activation, "activation of the feed-forward layer").one_of({"relu", "gelu"});
  field("positions", positions, "encoding of positions")
      .one_of({"none", "sinusoidal", "learned"})
      .shapes();
  field("max_positions", max_positions, "longest sequence for learned positions [tokens]")
      .min(1)
      .shapes();
  field("embedding_scale", embedding_scale, "multiply embeddings by sqrt(d_model)");
  field("tied_output", tied_output, "use the embedding as the output projection's weight").shapes();
  field("attention", attention, "self-attention of the layers").shapes();
}

bool takes_side_input(const AttentionChoice& attention, const std::string& name) {
  return std::ranges::any_of(variants_of(attention), [&](const std::string& variant) {
    return std::ranges::count(attentions().facts(variant).side, name) > 0;
  });
}

std::vector<Rule> rules_of_hints(const std::string& attention) {
  std::vector<Rule> all;
  for (const std::string& variant : attentions().names()) {
    if (!takes_side_input({variant, Json::object(), {}}, kHints)) continue;
    for (const char* kind : {".kind", ".at.kind"}) {
      all.push_back(excludes(attention + kind, variant, "data.hints", {},
                             "this attention learns from syntax hints: give files of dependency "
                             "trees, data.hints: [FILE.conllu]"));
    }
  }
  return all;
}

std::vector<Rule> rules_of_triplets(const std::string& options) {
  const std::string triplet_heads = options + "triplet_heads";
  return {at_most(triplet_heads, "heads", "triplet heads are some of a layer's heads"),
          multiple_of(3, triplet_heads, "d_model", "heads",
                      "a triplet head has three channels: choose triplet_heads so that "
                      "triplet_heads * d_model / heads is a multiple of 3"),
          has_room_for(options + "permutations", triplet_heads, "d_model", "heads", 3,
                       "each permutation needs a head of three channels, and the triplet heads' "
                       "d_model / heads channels are cut into such")};
}

std::vector<Rule> ModelOptions::rules() {
  return rules_of_decoder_layers();
}

bool minds_padding(const AttentionChoice& attention) {
  return std::ranges::any_of(variants_of(attention), [](const std::string& variant) {
    return attentions().facts(variant).minds_padding;
  });
}

void EncoderOptions::fields(Fields& field) {
  field("layers", layers,
        "encoder layers; with fewer than the loaded weights have, the first ones are loaded")
      .min(1)
      .shapes();
  declare_widths(field, d_model, heads, ffn);
  field("dropout", dropout, "probability, on embeddings and the output of every sub-layer")
      .min(0)
      .below(1);
  field("attention_dropout", attention_dropout, "probability, on attention weights; null = dropout")
      .min(0)
      .below(1);
  field("activation", activation,
        "activation of the feed-forward layer; gelu is the exact form (erf)")
      .one_of({"gelu", "relu"});
  field("max_positions", max_positions, "longest sequence [tokens]").min(1).shapes();
  field("token_types", token_types,
        "number of token types (parts of a sequence); 0: none, as in DistilBERT")
      .min(0)
      .shapes();
  field("pooled", pooled, "activation of the first token's pooled state (DistilBERT: relu)")
      .one_of({"tanh", "relu"})
      .absent_means("tanh");
  field("attention", attention, "self-attention of the layers").shapes();
}

std::vector<Rule> EncoderOptions::rules() {
  std::vector<Rule> all = rules_of_layers();
  for (const Rule& rule : rules_of_encoder_attention("attention")) all.push_back(rule);
  return all;
}

void TranslationModelOptions::fields(Fields& field) {
  field("encoder_layers", encoder_layers, "layers of the encoder").min(1).shapes();
  field("layers", layers, "layers of the decoder").min(1).shapes();
  declare_widths(field, d_model, heads, ffn);
  field("dropout", dropout, "probability, on embeddings and the output of every sub-layer")
      .min(0)
      .below(1);
  field("attention_dropout", attention_dropout, "probability, on attention weights")
      .min(0)
      .below(1);
  field("activation_dropout", activation_dropout, "probability, inside the feed-forward layer")
      .min(0)
      .below(1);
  field("activation", activation, "activation of the feed-forward layer").one_of({"relu", "gelu"});
  field("shared_embeddings", shared_embeddings,
        "embeddings that share one weight: all (source, target, output), target (target, output) "
        "or none")
      .one_of({"all", "target", "none"})
      .shapes();
  field("attention", attention, "self-attention of the decoder").shapes();
  field("encoder_attention", encoder_attention, "self-attention of the encoder").shapes();
  field("cross_attention", cross_attention, "the decoder's attention to the encoder's output")
      .shapes();
}

std::vector<Rule> TranslationModelOptions::rules() {
  std::vector<Rule> all = rules_of_decoder_layers();
  for (const auto& rules :
       {rules_of_attention("encoder_attention", "encoder_layers"),
        rules_of_encoder_attention("encoder_attention"),
        rules_of_attention("cross_attention", "layers"),
        rules_that_suit("cross_attention", "cross", "cross-attention is between two sequences")})
    all.insert(all.end(), rules.begin(), rules.end());
  return all;
}

}  // namespace rethink
