#include "models/decoder.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/philox_dropout/philox_dropout.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/linear.h"
#include "models/tensors/random.h"

namespace rethink {

DecoderLanguageModel::DecoderLanguageModel(const ModelOptions& options, int64_t vocabulary,
                                           uint64_t seed)
    : options_(options), sinusoids_(options.d_model) {
  const int64_t width = options_.d_model;
  const AttentionSite site{
      .d_model = width,
      .heads = options_.heads,
      .dropout = options_.attention_dropout.value_or(options_.dropout),
      .layers = options_.layers,
      .max_positions = options_.positions == "learned" ? options_.max_positions : 0,
      .place = AttentionPlace::decoder_self};
  const double deviation = options_.tied_output ? 1.0 / std::sqrt(static_cast<double>(width)) : 1.0;
  embedding_ = add_weight(*this, "embedding",
                          seeded_normal(seed, "embedding.weight", {vocabulary, width}, deviation));
  if (options_.positions == "learned") {
    positions_ = add_weight(
        *this, "positions",
        seeded_normal(seed, "positions.weight", {options_.max_positions, width}, deviation));
  }
  const LayerOptions layer_options{.ffn = options_.ffn,
                                   .dropout = options_.dropout,
                                   .activation_dropout = options_.activation_dropout,
                                   .activation = options_.activation};
  layers_.make(*this, layer_options, options_.attention, site, {.seed = seed});
  if (options_.tied_output) {
    auto output = register_module("output", std::make_shared<torch::nn::Module>());
    output_ = {embedding_, output->register_parameter("bias", at::zeros({vocabulary}))};
  } else {
    output_ = add_linear(*this, "", "output", {width, vocabulary}, {.seed = seed});
  }
}

at::Tensor DecoderLanguageModel::with_positions(const at::Tensor& embedded) {
  const int64_t tokens = embedded.size(1);
  if (options_.positions == "none") return embedded;
  if (options_.positions == "learned") {
    if (tokens > options_.max_positions) {
      throw TrialError(
          "too-long",
          fmt::format("a sequence has {} tokens, model.max_positions is {}; raise it or cut "
                      "sequences with max_tokens",
                      tokens, options_.max_positions));
    }
    return embedded + positions_.slice(0, 0, tokens);
  }
  return embedded + sinusoids_.rows(0, tokens, embedded.options());
}

at::Tensor DecoderLanguageModel::hidden(const at::Tensor& input_ids, PhiloxKey pass,
                                        const DecoderExtras& extras) {
  at::Tensor hidden_BTD = at::embedding(embedding_, input_ids);
  if (options_.embedding_scale)
    hidden_BTD = hidden_BTD * std::sqrt(static_cast<double>(options_.d_model));
  hidden_BTD = with_positions(hidden_BTD);
  if (is_training()) {
    const double p = options_.embedding_dropout.value_or(options_.dropout);
    hidden_BTD = philox_dropout(hidden_BTD, p, site_key(pass, kEmbeddingSite));
  }
  return layers_.forward({.input = std::move(hidden_BTD),
                          .keep = extras.keep,
                          .causal = true,
                          .side = extras.side,
                          .pass = pass,
                          .record = extras.record},
                         extras.state);
}

std::unique_ptr<DecodingState> DecoderLanguageModel::new_memory() const {
  auto memory = std::make_unique<DecodingState>();
  for (const auto& layer : layers_.layers())
    memory->layers.push_back(layer->new_state(StateUse::segments));
  const bool keeps = std::ranges::any_of(
      memory->layers, [](const LayerState& layer) { return layer.self != nullptr; });
  return keeps ? std::move(memory) : nullptr;
}

at::Tensor DecoderLanguageModel::logits(const at::Tensor& hidden) const {
  return linear(hidden, output_.weight, output_.bias);
}

at::Tensor DecoderLanguageModel::token_losses(const at::Tensor& hidden,
                                              const at::Tensor& targets) const {
  return cross_entropy(logits(hidden), targets, at::Reduction::None);
}

at::Tensor DecoderLanguageModel::loss_sum(const at::Tensor& hidden,
                                          const at::Tensor& targets) const {
  // In bfloat16 the products must be autocast's, on tensor cores; the fused pass is float32.
  if (at::autocast::is_autocast_enabled(hidden.device().type()))
    return token_losses(hidden, targets).sum();
  return linear_cross_entropy_sum(hidden, output_.weight, output_.bias, targets);
}

void DecoderLanguageModel::train(bool on) {
  torch::nn::Module::train(on);
  if (!options_.attention_dropout_at_evaluation) return;
  for (const auto& layer : layers_.layers()) layer->attention().train();
}

double DecoderLanguageModel::forward_flops(int64_t rows, int64_t tokens,
                                           const DecodingState* memory) const {
  double flops = 2.0 * static_cast<double>(output_.weight.numel() * rows * tokens) +
                 layers_.forward_flops(rows, tokens);
  if (memory == nullptr) return flops;
  const int64_t width = options_.d_model;
  for (const LayerState& layer : memory->layers) {
    // Keys and values of the memory, and its pairs with the tokens.
    const int64_t each = 4 * width * width + 4 * width * tokens;
    flops += static_cast<double>(rows * layer.tokens() * each);
  }
  return flops;
}

}  // namespace rethink
