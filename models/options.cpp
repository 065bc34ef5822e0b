#include "models/options.h"

#include <algorithm>

#include "core/config/schema.h"
#include "core/json.h"
#include "models/attention/attention.h"
#include "models/variants.h"

namespace rethink {

void ModelOptions::fields(Fields& field) {
  field("layers", layers, "decoder layers").min(1).shapes();
  field("d_model", d_model, "width of embeddings and hidden states").min(1).shapes();
  field("heads", heads, "attention heads of a layer; divides d_model").min(1).shapes();
  field("ffn", ffn, "width of the feed-forward layer's hidden part").min(1).shapes();
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
        "leave attention dropout on in evaluations, as BET's released code does");
  field("activation", activation, "of the feed-forward layer").one_of({"relu", "gelu"});
  field("positions", positions, "what tells positions apart")
      .one_of({"none", "sinusoidal", "learned"})
      .shapes();
  field("max_positions", max_positions, "longest sequence with learned positions [tokens]")
      .min(1)
      .shapes();
  field("embedding_scale", embedding_scale, "multiply embeddings by sqrt(d_model)");
  field("tied_output", tied_output, "the output projection's weight is the embedding's").shapes();
  field("attention", attention, "self-attention of the layers").shapes();
}

namespace {

constexpr const char* kDivisor =
    "heads must divide d_model: each head gets d_model / heads channels";

}  // namespace

std::vector<Rule> rules_of_layers() {
  std::vector<Rule> all = {{"divides", {"heads", "d_model"}, kDivisor}};
  for (const Rule& rule : rules_of_attention("attention", "layers")) all.push_back(rule);
  return all;
}

std::vector<Rule> rules_of_encoder_attention(const std::string& attention) {
  return rules_that_suit(attention, "encoder",
                         "an encoder is not given what this attention learns from");
}

std::vector<Rule> rules_of_decoder_layers() {
  std::vector<Rule> all = rules_of_layers();
  for (const Rule& rule : rules_that_suit(
           "attention", "causal", "a decoder must not look ahead, and this attention would"))
    all.push_back(rule);
  return all;
}

std::vector<Rule> rules_of_attention(const std::string& attention, const std::string& layers) {
  std::vector<Rule> all = {
      {"divides", {attention + ".at.heads", "d_model"}, kDivisor},
      {"at_most",
       {attention + ".at.layers", layers},
       "layers count from 1, and `" + layers + "` says how many the model has"},
      {"at_most_one",
       {attention + ".at.heads", attention + ".at.triplet_heads"},
       "heads are all heads of an entry's layers, and where some are triplet heads every layer has "
       "the model's: leave heads out, and give how many are triplet heads as triplet_heads"}};
  for (const Rule& rule : rules_of_triplets(attention + ".")) all.push_back(rule);
  for (Rule rule : rules_of_triplets("")) {
    rule.each = attention + ".at";
    all.push_back(rule);
  }
  return all;
}

bool takes_side_input(const AttentionChoice& attention, const std::string& name) {
  return std::ranges::any_of(variants_of(attention), [&](const std::string& variant) {
    const Json side = attentions().schema(variant).facts.value("side", Json::array());
    return std::ranges::find(side, Json(name)) != side.end();
  });
}

std::vector<Rule> rules_of_hints(const std::string& attention) {
  std::vector<Rule> all;
  for (const std::string& variant : attentions().names()) {
    if (!takes_side_input({variant, Json::object(), {}}, "hints")) continue;
    for (const char* kind : {".kind", ".at.kind"}) {
      all.push_back({"excludes",
                     {attention + kind, "data.hints"},
                     "this attention learns from syntax hints: give files of dependency trees, "
                     "data.hints: [FILE.conllu]",
                     {variant}});
    }
  }
  return all;
}

std::vector<Rule> rules_that_suit(const std::string& attention, const std::string& place,
                                  const std::string& why) {
  std::vector<Rule> all;
  for (const char* kind : {".kind", ".at.kind"})
    all.push_back({"suits", {attention + kind}, why, {"attention", place}});
  return all;
}

std::vector<Rule> rules_of_triplets(const std::string& options) {
  const std::string triplet_heads = options + "triplet_heads";
  return {
      {"at_most", {triplet_heads, "heads"}, "triplet heads are some of a layer's heads"},
      {"multiple",
       {triplet_heads, "d_model", "heads"},
       "a triplet head has three channels: choose triplet_heads so that triplet_heads * d_model "
       "/ heads is a multiple of 3",
       {3}},
      {"room",
       {options + "permutations", triplet_heads, "d_model", "heads"},
       "each permutation needs a head of three channels, and the triplet heads' d_model / heads "
       "channels are cut into such",
       {3}}};
}

std::vector<Rule> ModelOptions::rules() {
  return rules_of_decoder_layers();
}

}  // namespace rethink
