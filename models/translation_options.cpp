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
