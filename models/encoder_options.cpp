#include "models/encoder_options.h"

namespace rethink {

void EncoderOptions::fields(Fields& field) {
  field("layers", layers, "encoder layers; fewer than the weights have: the first of theirs")
      .min(1)
      .shapes();
  field("d_model", d_model, "width of embeddings and hidden states").min(1).shapes();
  field("heads", heads, "attention heads of a layer; divides d_model").min(1).shapes();
  field("ffn", ffn, "width of the feed-forward layer's hidden part").min(1).shapes();
  field("dropout", dropout, "probability, on embeddings and the output of every sub-layer")
      .min(0)
      .below(1);
  field("attention_dropout", attention_dropout, "probability, on attention weights; null = dropout")
      .min(0)
      .below(1);
  field("activation", activation, "of the feed-forward layer; gelu is the exact one (erf)")
      .one_of({"gelu", "relu"});
  field("max_positions", max_positions, "longest sequence [tokens]").min(1).shapes();
  field("token_types", token_types,
        "parts of a sequence that are told apart; 0: none, as in DistilBERT")
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

}  // namespace rethink
