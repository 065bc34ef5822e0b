#include "models/decoder.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include <cmath>

#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"
#include "models/linear_cross_entropy.h"
#include "models/random.h"
#include "models/seeded.h"

namespace rethink {
namespace {

constexpr uint64_t kEmbeddingSite = 0;
// Sites of one layer, from layer * kSitesOfLayer.
constexpr uint64_t kSitesOfLayer = 8, kAttentionSite = 0, kAttentionOutputSite = 1,
                   kActivationSite = 2, kFfnOutputSite = 3;

AffinePair add_affine(torch::nn::Module& parent, const std::string& name, at::Tensor weight,
                      at::Tensor bias) {
  auto module = parent.register_module(name, std::make_shared<torch::nn::Module>());
  return {module->register_parameter("weight", std::move(weight)),
          module->register_parameter("bias", std::move(bias))};
}

AffinePair add_linear(torch::nn::Module& parent, const std::string& prefix, const std::string& name,
                      std::pair<int64_t, int64_t> in_out, uint64_t seed) {
  const auto [in, out] = in_out;
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  const std::string full = prefix + name;
  return add_affine(parent, name, seeded_uniform(seed, full + ".weight", {out, in}, bound),
                    seeded_uniform(seed, full + ".bias", {out}, bound));
}

AffinePair add_norm(torch::nn::Module& parent, const std::string& name, int64_t width) {
  return add_affine(parent, name, at::ones({width}), at::zeros({width}));
}

std::string layer_prefix(int64_t layer) {
  return fmt::format("layers.{}.", layer);
}

/// The variant that the placement gives to the site's layer.
std::shared_ptr<Attention> make_attention(const AttentionChoice& choice, AttentionSite site) {
  const int64_t heads_of_model = site.heads;
  std::string name = choice.name;
  Json options = choice.options;
  for (const auto& entry : choice.common.at) {
    for (int64_t layer : entry.common.layers) {
      if (layer != site.layer) continue;
      name = entry.name;
      options = entry.options;
      site.heads = entry.common.heads.value_or(heads_of_model);
    }
  }
  return attentions().make(name, options, site);
}

void check_placement(const ModelOptions& options) {
  for (const auto& entry : options.attention.common.at) {
    const int64_t heads = entry.common.heads.value_or(options.heads);
    if (options.d_model % heads != 0) {
      throw ConfigError(
          fmt::format("attention.at: got heads: {}, expected a divisor of d_model, {}", heads,
                      options.d_model));
    }
    for (int64_t layer : entry.common.layers) {
      if (layer >= 1 && layer <= options.layers) continue;
      throw ConfigError(
          fmt::format("attention.at: got layer {}, expected 1 to {}; layers count from 1", layer,
                      options.layers));
    }
  }
}

/// float [T,D]: sin in the even and cos in the odd channels (Vaswani et al., 2017, section 3.5).
at::Tensor sinusoids(int64_t positions, int64_t width, const at::TensorOptions& like) {
  const auto doubles = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor channel = at::arange(width, doubles);
  const at::Tensor even = channel - channel.remainder(2);
  const at::Tensor angle_TD = at::arange(positions, doubles).unsqueeze(1) *
                              at::pow(10000.0, -even / static_cast<double>(width));
  return at::where(channel.remainder(2) == 0, angle_TD.sin(), angle_TD.cos()).to(like);
}

}  // namespace

DecoderLayer::DecoderLayer(const ModelOptions& options, const AttentionSite& site, uint64_t seed)
    : options_(options), layer_(site.layer) {
  const std::string prefix = layer_prefix(layer_);
  const int64_t width = options.d_model;
  // A variant draws its parameters in its own order; what all variants share comes first.
  seed_for(seed, prefix + "attention");
  attention_ = register_module("attention", make_attention(options.attention, site));
  attention_norm_ = add_norm(*this, "attention_norm", width);
  ffn_in_ = add_linear(*this, prefix, "ffn_in", {width, options.ffn}, seed);
  ffn_out_ = add_linear(*this, prefix, "ffn_out", {options.ffn, width}, seed);
  ffn_norm_ = add_norm(*this, "ffn_norm", width);
}

at::Tensor DecoderLayer::forward(const at::Tensor& input, PhiloxKey pass, Recorder* record) {
  const auto key = [&](uint64_t site) {
    return site_key(pass, static_cast<uint64_t>(layer_) * kSitesOfLayer + site);
  };
  const auto end_of_sublayer = [&](const at::Tensor& x, const at::Tensor& residual,
                                   const AffinePair& pair, uint64_t site) {
    return residual_layer_norm(
        x, residual, pair.weight, pair.bias,
        {.dropout = is_training() ? options_.dropout : 0.0, .key = key(site)});
  };
  const at::Tensor attended_BTD = attention_->forward({.query_input = input,
                                                       .key_input = input,
                                                       .key_keep = {},
                                                       .causal = true,
                                                       .random = key(kAttentionSite),
                                                       .record = record});
  const at::Tensor middle_BTD =
      end_of_sublayer(attended_BTD, input, attention_norm_, kAttentionOutputSite);
  at::Tensor inner_BTF = at::linear(middle_BTD, ffn_in_.weight, ffn_in_.bias);
  inner_BTF = options_.activation == "relu" ? inner_BTF.relu_() : at::gelu(inner_BTF);
  if (is_training())
    inner_BTF = philox_dropout(inner_BTF, options_.activation_dropout, key(kActivationSite));
  const at::Tensor fed_BTD = at::linear(inner_BTF, ffn_out_.weight, ffn_out_.bias);
  return end_of_sublayer(fed_BTD, middle_BTD, ffn_norm_, kFfnOutputSite);
}

DecoderLanguageModel::DecoderLanguageModel(const ModelOptions& options, int64_t vocabulary,
                                           uint64_t seed)
    : options_(options), vocabulary_(vocabulary) {
  check_placement(options_);
  const int64_t width = options_.d_model;
  const double deviation = options_.tied_output ? 1.0 / std::sqrt(static_cast<double>(width)) : 1.0;
  auto embedding = register_module("embedding", std::make_shared<torch::nn::Module>());
  embedding_ = embedding->register_parameter(
      "weight", seeded_normal(seed, "embedding.weight", {vocabulary, width}, deviation));
  if (options_.positions == "learned") {
    auto positions = register_module("positions", std::make_shared<torch::nn::Module>());
    positions_ = positions->register_parameter(
        "weight",
        seeded_normal(seed, "positions.weight", {options_.max_positions, width}, deviation));
  }
  auto layers = register_module("layers", std::make_shared<torch::nn::Module>());
  for (int64_t layer = 1; layer <= options_.layers; ++layer) {
    const AttentionSite site{
        .d_model = width,
        .heads = options_.heads,
        .dropout = options_.attention_dropout.value_or(options_.dropout),
        .layer = layer,
        .layers = options_.layers,
        .max_positions = options_.positions == "learned" ? options_.max_positions : 0,
        .place = AttentionPlace::decoder_self,
        .shared = &shared_};
    layers_.push_back(layers->register_module(
        std::to_string(layer), std::make_shared<DecoderLayer>(options_, site, seed)));
  }
  for (const auto& [name, module] : shared_) register_module("shared_" + name, module);
  if (options_.tied_output) {
    auto output = register_module("output", std::make_shared<torch::nn::Module>());
    output_ = {embedding_, output->register_parameter("bias", at::zeros({vocabulary}))};
  } else {
    output_ = add_linear(*this, "", "output", {width, vocabulary}, seed);
  }
}

at::Tensor DecoderLanguageModel::with_positions(const at::Tensor& embedded) {
  const int64_t tokens = embedded.size(1);
  if (options_.positions == "none") return embedded;
  if (options_.positions == "learned") {
    if (tokens > options_.max_positions) {
      throw TrialError(
          fmt::format("a sequence has {} tokens, model.max_positions is {}; raise it or cut "
                      "sequences with max_tokens",
                      tokens, options_.max_positions));
    }
    return embedded + positions_.slice(0, 0, tokens);
  }
  if (!sinusoids_.defined() || sinusoids_.size(0) < tokens ||
      sinusoids_.options().device() != embedded.device() ||
      sinusoids_.dtype() != embedded.dtype()) {
    sinusoids_ = sinusoids(tokens, options_.d_model, embedded.options());
  }
  return embedded + sinusoids_.slice(0, 0, tokens);
}

at::Tensor DecoderLanguageModel::hidden(const at::Tensor& input_ids, PhiloxKey pass,
                                        Recorder* record) {
  for (const auto& [name, module] : shared_) module->refresh(pass, record);
  at::Tensor hidden_BTD = at::embedding(embedding_, input_ids);
  if (options_.embedding_scale)
    hidden_BTD = hidden_BTD * std::sqrt(static_cast<double>(options_.d_model));
  hidden_BTD = with_positions(hidden_BTD);
  if (is_training()) {
    const double p = options_.embedding_dropout.value_or(options_.dropout);
    hidden_BTD = philox_dropout(hidden_BTD, p, site_key(pass, kEmbeddingSite));
  }
  for (const auto& layer : layers_) hidden_BTD = layer->forward(hidden_BTD, pass, record);
  return hidden_BTD;
}

at::Tensor DecoderLanguageModel::logits(const at::Tensor& hidden) const {
  return at::linear(hidden, output_.weight, output_.bias);
}

at::Tensor DecoderLanguageModel::token_losses(const at::Tensor& hidden,
                                              const at::Tensor& targets) const {
  return at::cross_entropy_loss(logits(hidden), targets, {}, at::Reduction::None);
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
  for (const auto& layer : layers_) layer->attention().train();
}

double DecoderLanguageModel::forward_flops(int64_t rows, int64_t tokens) const {
  double weights = static_cast<double>(output_.weight.numel());
  int64_t passes = 0;
  for (const auto& layer : layers_) {
    passes += layer->attention().passes();
    for (const at::Tensor& parameter : layer->parameters()) {
      if (parameter.dim() == 2) weights += static_cast<double>(parameter.numel());
    }
  }
  const double positions = static_cast<double>(rows * tokens);
  const double attention = 4.0 * static_cast<double>(passes * options_.d_model * tokens);
  return positions * (2.0 * weights + attention);
}

}  // namespace rethink
