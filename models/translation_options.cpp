#include "models/translation_options.h"

namespace rethink {

void TranslationModelOptions::fields(Fields& field) {
  field("encoder_layers", encoder_layers, "of the encoder").min(1).shapes();
  field("layers", layers, "of the decoder").min(1).shapes();
  field("d_model", d_model, "width of embeddings and hidden states").min(1).shapes();
  field("heads", heads, "attention heads of a layer; divides d_model").min(1).shapes();
  field("ffn", ffn, "width of the feed-forward layer's hidden part").min(1).shapes();
  field("dropout", dropout, "probability, on embeddings and the output of every sub-layer")
      .min(0)
      .below(1);
  field("attention_dropout", attention_dropout, "probability, on attention weights")
      .min(0)
      .below(1);
  field("activation_dropout", activation_dropout, "probability, inside the feed-forward layer")
      .min(0)
      .below(1);
  field("activation", activation, "of the feed-forward layer").one_of({"relu", "gelu"});
  field(
      "shared_embeddings", shared_embeddings,
      "which are one: those of source, target and output (all), of target and output (target), or "
      "none")
      .one_of({"all", "target", "none"})
      .shapes();
  field("attention", attention, "self-attention of the decoder").shapes();
  field("encoder_attention", encoder_attention, "self-attention of the encoder").shapes();
  field("cross_attention", cross_attention, "the decoder's attention to what the encoder read")
      .shapes();
}

std::vector<Rule> TranslationModelOptions::rules() {
  std::vector<Rule> all = rules_of_layers();
  for (const char* kind : {"attention.kind", "attention.at.kind"}) {
    all.push_back({"suits",
                   {kind},
                   "a decoder must not look ahead, and this attention would",
                   {"attention", "causal"}});
  }
  for (const char* kind : {"cross_attention.kind", "cross_attention.at.kind"}) {
    all.push_back(
        {"suits", {kind}, "cross-attention is between two sequences", {"attention", "cross"}});
  }
  const std::string divisor = "heads must divide d_model: each head gets d_model / heads channels";
  const std::pair<std::string, std::string> others[] = {{"encoder_attention", "encoder_layers"},
                                                        {"cross_attention", "layers"}};
  for (const auto& [attention_of, layers_of] : others) {
    all.push_back({"divides", {attention_of + ".at.heads", "d_model"}, divisor});
    all.push_back({"at_most",
                   {attention_of + ".at.layers", layers_of},
                   "layers count from 1, and `" + layers_of + "` says how many there are"});
  }
  for (const Rule& rule : rules_of_triplets("encoder_attention.triplet_heads")) all.push_back(rule);
  for (Rule rule : rules_of_triplets("triplet_heads")) {
    rule.each = "encoder_attention.at";
    all.push_back(rule);
  }
  return all;
}

}  // namespace rethink
