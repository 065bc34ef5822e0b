#include "models/layers.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include <cmath>

#include "kernels/bias_gelu/bias_gelu.h"
#include "kernels/philox_dropout/philox_dropout.h"
#include "models/tensors/bfloat16_states.h"
#include "models/tensors/linear.h"
#include "models/tensors/random.h"

namespace rethink {

namespace {

// Sites of one layer, from layer * kSitesOfLayer.
constexpr uint64_t kSitesOfLayer = 8, kAttentionSite = 0, kAttentionOutputSite = 1,
                   kActivationSite = 2, kFfnOutputSite = 3, kCrossSite = 4, kCrossOutputSite = 5;

/// Returns the variant that `attention` chooses for the site's layer.
std::shared_ptr<Attention> make_attention(const AttentionChoice& choice, AttentionSite site) {
  const int64_t heads_of_model = site.heads;
  std::string name = choice.name;
  JsonValue options = choice.options;
  for (const auto& entry : choice.common.at) {
    for (int64_t layer : entry.common.layers) {
      if (layer != site.layer) continue;
      name = entry.name;
      options = entry.options;
      site.heads = entry.common.heads.value_or(heads_of_model);
    }
  }
  return attentions().make(name, *options, site);
}

/// Draws the projections of a variant, which are its modules, by the rule of the model's other
/// linear layers. Parameters that a variant registers itself, such as scores of a mask, keep their
/// values.
void draw_projections(Attention& attention, const std::string& prefix,
                      const InitialWeights& initial) {
  for (const auto& projection : attention.named_children()) {
    for (const auto& parameter : projection.value()->named_parameters()) {
      if (parameter.key() != "weight" || parameter.value().dim() < 2) continue;  // a norm's
      const std::string name = prefix + projection.key() + ".weight";
      parameter.value().set_data(
          seeded_normal(initial.seed, name, parameter.value().sizes(), initial.deviation));
    }
  }
}

/// Throws ConfigError if `attention.at` names a layer that does not exist, or heads that do not
/// divide the width.
void check_placement(const AttentionChoice& attention, const AttentionSite& site) {
  for (const auto& entry : attention.common.at) {
    const int64_t heads = entry.common.heads.value_or(site.heads);
    if (site.d_model % heads != 0) {
      throw ConfigError(
          "conflicting-values",
          fmt::format("attention.at: got heads: {}, expected a divisor of d_model, {}", heads,
                      site.d_model));
    }
    for (int64_t layer : entry.common.layers) {
      if (layer >= 1 && layer <= site.layers) continue;
      throw ConfigError(
          "invalid-value",
          fmt::format("attention.at: got layer {}, expected 1 to {}; layers count from 1", layer,
                      site.layers));
    }
  }
}

}  // namespace

AffinePair add_affine(torch::nn::Module& parent, const std::string& name, at::Tensor weight,
                      at::Tensor bias) {
  auto module = parent.register_module(name, std::make_shared<torch::nn::Module>());
  return {module->register_parameter("weight", std::move(weight)),
          module->register_parameter("bias", std::move(bias))};
}

AffinePair add_linear(torch::nn::Module& parent, const std::string& prefix, const std::string& name,
                      std::pair<int64_t, int64_t> in_out, const InitialWeights& initial) {
  const auto [in, out] = in_out;
  const std::string weight = prefix + name + ".weight", bias = prefix + name + ".bias";
  if (initial.deviation > 0) {
    return add_affine(parent, name,
                      seeded_normal(initial.seed, weight, {out, in}, initial.deviation),
                      at::zeros({out}));
  }
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  return add_affine(parent, name, seeded_uniform(initial.seed, weight, {out, in}, bound),
                    seeded_uniform(initial.seed, bias, {out}, bound));
}

AffinePair add_norm(torch::nn::Module& parent, const std::string& name, int64_t width) {
  return add_affine(parent, name, at::ones({width}), at::zeros({width}));
}

at::Tensor add_weight(torch::nn::Module& parent, const std::string& name, at::Tensor weight) {
  auto module = parent.register_module(name, std::make_shared<torch::nn::Module>());
  return module->register_parameter("weight", std::move(weight));
}

at::Tensor activated_linear(const at::Tensor& input, const AffinePair& pair,
                            const std::string& activation) {
  if (activation == "relu") return linear(input, pair.weight, pair.bias).relu_();
  // Autocast computes these products in bfloat16, also on a CPU. On a GPU the product adds the bias.
  if (!input.is_cpu() || at::autocast::is_autocast_enabled(at::kCPU))
    return at::gelu(linear(input, pair.weight, pair.bias));
  return bias_gelu(linear(input, pair.weight, at::Tensor()), pair.bias);
}

TransformerLayer::TransformerLayer(const LayerOptions& options, const AttentionChoice& attention,
                                   const AttentionSite& site, const InitialWeights& initial,
                                   const AttentionChoice* cross)
    : options_(options), layer_(site.layer) {
  const std::string prefix = fmt::format("{}layers.{}.", initial.before, layer_);
  // A variant draws its own parameters in its own order, after the parameters that all variants share.
  seed_for(initial.seed, prefix + "attention");
  attention_ = register_module("attention", make_attention(attention, site));
  if (initial.deviation > 0) draw_projections(*attention_, prefix + "attention.", initial);
  attention_norm_ = add_norm(*this, "attention_norm", site.d_model);
  if (cross != nullptr) {
    seed_for(initial.seed, prefix + "cross");
    AttentionSite between = site;
    between.place = AttentionPlace::decoder_cross;
    cross_ = register_module("cross", make_attention(*cross, between));
    if (initial.deviation > 0) draw_projections(*cross_, prefix + "cross.", initial);
    cross_norm_ = add_norm(*this, "cross_norm", site.d_model);
  }
  ffn_in_ = add_linear(*this, prefix, "ffn_in", {site.d_model, options.ffn}, initial);
  ffn_out_ = add_linear(*this, prefix, "ffn_out", {options.ffn, site.d_model}, initial);
  ffn_norm_ = add_norm(*this, "ffn_norm", site.d_model);
}

at::Tensor TransformerLayer::forward(const LayerCall& call) {
  const auto key = [&](uint64_t site) {
    const auto number = static_cast<uint64_t>(options_.layers_before + layer_);
    return site_key(call.pass, number * kSitesOfLayer + site);
  };
  const auto end_of_sublayer = [&](const at::Tensor& x, const at::Tensor& residual,
                                   const AffinePair& pair, uint64_t site,
                                   const at::Tensor& bias_of_x = {}) {
    return normalized_sum(x, residual, pair.weight, pair.bias,
                          {.dropout = is_training() ? options_.dropout : 0.0,
                           .key = key(site),
                           .epsilon = options_.epsilon,
                           .input_bias = bias_of_x});
  };
  AttentionState* own = call.state ? call.state->self.get() : nullptr;
  const int64_t offset = own ? own->tokens() : 0;
  const at::Tensor attended_BTD = attention_->forward({.query_input = call.input,
                                                       .key_input = call.input,
                                                       .key_keep = call.keep,
                                                       .causal = call.causal,
                                                       .query_offset = offset,
                                                       .state = own,
                                                       .side = call.side,
                                                       .random = key(kAttentionSite),
                                                       .record = call.record});
  at::Tensor middle_BTD =
      end_of_sublayer(attended_BTD, call.input, attention_norm_, kAttentionOutputSite);
  if (cross_) {
    TORCH_CHECK(call.memory.defined(), "cross-attention needs the states of an encoder");
    const at::Tensor found_BTD =
        cross_->forward({.query_input = middle_BTD,
                         .key_input = call.memory,
                         .key_keep = call.memory_keep,
                         .state = call.state ? call.state->cross.get() : nullptr,
                         .random = key(kCrossSite),
                         .record = call.record});
    middle_BTD = end_of_sublayer(found_BTD, middle_BTD, cross_norm_, kCrossOutputSite);
  }
  at::Tensor inner_BTF = activated_linear(middle_BTD, ffn_in_, options_.activation);
  if (is_training())
    inner_BTF = philox_dropout(inner_BTF, options_.activation_dropout, key(kActivationSite));
  // On a GPU the norm's kernel adds the bias: a launch less in the backward pass, for its gradient.
  const at::Tensor left_to_norm = inner_BTF.is_cuda() ? ffn_out_.bias : at::Tensor(),
                   fed_BTD = linear(inner_BTF, ffn_out_.weight,
                                    inner_BTF.is_cuda() ? at::Tensor() : ffn_out_.bias);
  return end_of_sublayer(fed_BTD, middle_BTD, ffn_norm_, kFfnOutputSite, left_to_norm);
}

LayerState TransformerLayer::new_state(StateUse use) const {
  return {attention_->new_state(use), cross_ ? cross_->new_state(use) : nullptr};
}

void LayerStack::make(torch::nn::Module& parent, const LayerOptions& options,
                      const AttentionChoice& attention, AttentionSite site,
                      const InitialWeights& initial, const AttentionChoice* cross) {
  check_placement(attention, site);
  if (cross != nullptr) check_placement(*cross, site);
  width_ = site.d_model;
  site.shared = &shared_;
  auto modules = parent.register_module("layers", std::make_shared<torch::nn::Module>());
  for (site.layer = 1; site.layer <= site.layers; ++site.layer) {
    layers_.push_back(modules->register_module(
        std::to_string(site.layer),
        std::make_shared<TransformerLayer>(options, attention, site, initial, cross)));
  }
  for (const auto& [name, module] : shared_) parent.register_module("shared_" + name, module);
}

at::Tensor LayerStack::forward(LayerCall call, DecodingState* state,
                               std::vector<at::Tensor>* hidden) {
  const Bfloat16States states_of_pass;
  for (const auto& [name, module] : shared_) module->refresh(call.pass, call.record);
  if (hidden) hidden->assign(1, call.input);
  for (size_t i = 0; i < layers_.size(); ++i) {
    if (state) call.state = &state->layers[i];
    call.input = layers_[i]->forward(call);
    if (hidden) hidden->push_back(call.input);
  }
  return call.input;
}

double LayerStack::forward_flops(int64_t rows, int64_t tokens) const {
  double flops = 0;
  for (const auto& layer : layers_) {
    double weights = 0;
    for (const at::Tensor& parameter : layer->parameters()) {
      if (parameter.dim() == 2) weights += static_cast<double>(parameter.numel());
    }
    flops += static_cast<double>(rows * tokens) *
             (2.0 * weights + layer->attention().pair_flops(tokens, width_));
  }
  return flops;
}

namespace {

at::Tensor sinusoids(int64_t positions, int64_t width, const at::TensorOptions& like) {
  const auto doubles = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor channel = at::arange(width, doubles);
  const at::Tensor even = channel - channel.remainder(2);
  const at::Tensor angle_TD = at::arange(positions, doubles).unsqueeze(1) *
                              at::pow(10000.0, -even / static_cast<double>(width));
  return at::where(channel.remainder(2) == 0, angle_TD.sin(), angle_TD.cos()).to(like);
}

}  // namespace

at::Tensor Sinusoids::rows(int64_t first, int64_t tokens, const at::TensorOptions& like) {
  const int64_t needed = first + tokens;
  if (!table_.defined() || table_.size(0) < needed || table_.device() != like.device() ||
      table_.dtype() != like.dtype()) {
    table_ = sinusoids(needed, width_, like);
  }
  return table_.slice(0, first, needed);
}

}  // namespace rethink
