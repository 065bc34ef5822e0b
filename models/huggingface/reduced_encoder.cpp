#include "models/huggingface/reduced_encoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"

namespace rethink {
namespace {

constexpr const char* kPositionWeights = "encoder.positions.weight";
constexpr const char* kTokenTypeWeights = "encoder.token_types.weight";

std::string layer_prefix(int64_t layer) {
  return fmt::format("encoder.layers.{}.", layer);
}

void keep_layers(const std::vector<int64_t>& layers, EncoderOptions& options,
                 TensorsByName& weights) {
  if (!options.attention.common.at.empty()) {
    throw ConfigError("conflicting-values",
                      "attention.at refers to layers by number, and taking layers changes their "
                      "numbers: choose an encoder with one attention for all layers");
  }
  TensorsByName kept;
  for (const auto& [name, tensor] : weights) {
    if (!name.starts_with("encoder.layers.")) kept[name] = tensor;
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    if (layers[i] < 1 || layers[i] > options.layers) {
      throw ConfigError("invalid-value",
                        fmt::format("layers: got {}, expected 1 to {}; layers count from 1",
                                    layers[i], options.layers));
    }
    const std::string from = layer_prefix(layers[i]),
                      to = layer_prefix(static_cast<int64_t>(i) + 1);
    for (const auto& [name, tensor] : weights) {
      if (name.starts_with(from)) kept[to + name.substr(from.size())] = tensor;
    }
  }
  options.layers = static_cast<int64_t>(layers.size());
  weights = std::move(kept);
}

void drop_token_types(EncoderOptions& options, TensorsByName& weights) {
  weights[kPositionWeights] =
      weights.at(kPositionWeights) + weights.at(kTokenTypeWeights).select(0, 0);
  weights.erase(kTokenTypeWeights);
  std::erase_if(weights, [](const auto& item) {
    return item.first.starts_with("pooler.") || item.first.starts_with("nsp.");
  });
  options.token_types = 0;
  options.pooled = "relu";
}

}  // namespace

void reduce_encoder(const EncoderReduction& reduction, EncoderFolder& facts,
                    TensorsByName& weights) {
  if (!reduction.layers.empty()) keep_layers(reduction.layers, facts.options, weights);
  if (reduction.as_distilbert && facts.options.token_types > 0) {
    drop_token_types(facts.options, weights);
    facts.architecture = "BertModel";
  }
}

}  // namespace rethink
