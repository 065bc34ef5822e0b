#include "models/encoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"
#include "models/tensors/random.h"

namespace rethink {

Encoder::Encoder(const EncoderOptions& options, int64_t vocabulary, uint64_t seed,
                 const Mask* given_mask)
    : options_(options) {
  const int64_t width = options_.d_model;
  const AttentionSite site{.d_model = width,
                           .heads = options_.heads,
                           .dropout = options_.attention_dropout.value_or(options_.dropout),
                           .layers = options_.layers,
                           .max_positions = options_.max_positions,
                           .place = AttentionPlace::encoder_self,
                           .given_mask = given_mask};
  const auto table = [&](const std::string& name, int64_t rows) {
    return add_weight(*this, name,
                      seeded_normal(seed, name + ".weight", {rows, width}, kBertDeviation));
  };
  word_embedding_ = table("embedding", vocabulary);
  position_embedding_ = table("positions", options_.max_positions);
  if (options_.token_types > 0) token_type_embedding_ = table("token_types", options_.token_types);
  embedding_norm_ = add_norm(*this, "embedding_norm", width);
  const LayerOptions layer_options{.ffn = options_.ffn,
                                   .dropout = options_.dropout,
                                   .activation = options_.activation,
                                   .epsilon = kBertEpsilon};
  layers_.make(*this, layer_options, options_.attention, site, {seed, kBertDeviation});
}

at::Tensor Encoder::embedded(const EncoderInput& input, PhiloxKey pass) {
  const int64_t tokens = input.input_ids.size(1);
  if (tokens > options_.max_positions) {
    throw TrialError(
        "too-long",
        fmt::format("a sequence has {} tokens, model.max_positions is {}; raise it or cut the text",
                    tokens, options_.max_positions));
  }
  at::Tensor places_BTD = position_embedding_.slice(0, 0, tokens);
  if (token_type_embedding_.defined()) {
    const at::Tensor types =
        input.token_type_ids.defined() ? input.token_type_ids : at::zeros_like(input.input_ids);
    places_BTD = at::embedding(token_type_embedding_, types) + places_BTD;
  } else {
    places_BTD = places_BTD.expand({input.input_ids.size(0), tokens, options_.d_model});
  }
  const at::Tensor normal_BTD =
      residual_layer_norm(at::embedding(word_embedding_, input.input_ids), places_BTD,
                          embedding_norm_.weight, embedding_norm_.bias, {.epsilon = kBertEpsilon});
  const double dropout = is_training() ? options_.dropout : 0.0;
  return philox_dropout(normal_BTD, dropout, site_key(pass, kEmbeddingSite));
}

at::Tensor Encoder::forward(const EncoderInput& input, PhiloxKey pass, Recorder* record,
                            std::vector<at::Tensor>* hidden) {
  return layers_.forward(
      {.input = embedded(input, pass), .keep = input.keep, .pass = pass, .record = record},
      /*state=*/nullptr, hidden);
}

}  // namespace rethink
