#include "models/attention/attention.h"

#include <ATen/ATen.h>

#include <cmath>

#include "models/tensors/bfloat16_weights.h"
#include "models/tensors/linear.h"

namespace rethink {

AttentionRegistry& attentions() {
  static AttentionRegistry registry("attention", "models/attention");
  return registry;
}

ProjectedAttention::ProjectedAttention(const AttentionSite& site) : site_(site) {
  if (site.d_model < 1 || site.heads < 1 || site.d_model % site.heads != 0) {
    throw ConfigError("conflicting-values", "d_model must be a multiple of heads: got d_model " +
                                                std::to_string(site.d_model) + ", heads " +
                                                std::to_string(site.heads));
  }
  for (const char* name : {"query", "key", "value", "output"}) add_projection(name);
}

void ProjectedAttention::add_projection(const std::string& name, int64_t outputs) {
  const int64_t width = site_.d_model, out = outputs == 0 ? width : outputs;
  // As torch.nn.MultiheadAttention, which the released code of BET uses: Xavier over the stacked
  // input projections, 1/sqrt(D) for output projections, biases zero.
  const bool input = name.rfind("output", 0) != 0;
  const auto width_D = static_cast<double>(width);
  const double bound = input ? std::sqrt(6.0 / (4.0 * width_D)) : 1.0 / std::sqrt(width_D);
  auto projection = register_module(name, std::make_shared<torch::nn::Module>());
  projections_[name] = {
      projection->register_parameter("weight", at::empty({out, width}).uniform_(-bound, bound)),
      projection->register_parameter("bias", at::zeros({out}))};
}

at::Tensor ProjectedAttention::projected(const std::string& name, const at::Tensor& input) const {
  const auto& [weight, bias] = projections_.at(name);
  return linear(input, weight, bias);
}

double ProjectedAttention::scale() const {
  return 1.0 / std::sqrt(static_cast<double>(site_.d_model / site_.heads));
}

at::Tensor ProjectedAttention::in_heads(const at::Tensor& joined) const {
  return joined.view({joined.size(0), joined.size(1), site_.heads, site_.d_model / site_.heads})
      .transpose(1, 2);
}

at::Tensor ProjectedAttention::heads_of(const std::string& name, const at::Tensor& input) const {
  return in_heads(projected(name, input));
}

bool ProjectedAttention::joins_products(const AttentionCall& call) {
  return call.query_input.is_cuda() && call.query_input.is_same(call.key_input) &&
         call.state == nullptr;
}

QueriesKeysValues ProjectedAttention::joined_heads(const at::Tensor& input) const {
  std::vector<at::Tensor> weights, biases;
  for (const char* name : {"query", "key", "value"}) {
    const auto& [weight, bias] = projections_.at(name);
    weights.push_back(weight);
    biases.push_back(bias);
  }
  const std::vector<at::Tensor> parts =
      linear(input, joined_linear_weights(weights), joined_linear_weights(biases))
          .split(site_.d_model, 2);
  return {in_heads(parts[0]), in_heads(parts[1]), in_heads(parts[2])};
}

at::Tensor ProjectedAttention::merged(const std::string& name, const at::Tensor& heads) const {
  return projected(name,
                   heads.transpose(1, 2).reshape({heads.size(0), heads.size(2), site_.d_model}));
}

int64_t GrowingState::tokens() const {
  return kept_.empty() ? 0 : kept_.begin()->second.size(2);
}

void GrowingState::reorder(const at::Tensor& beams) {
  for (auto& [name, tensor] : kept_) tensor = tensor.index_select(0, beams);
}

void GrowingState::detach() {
  for (auto& [name, tensor] : kept_) tensor = tensor.detach();
}

void GrowingState::visit(
    const std::function<void(const std::string& name, at::Tensor& tensor)>& visitor) {
  for (auto& [name, tensor] : kept_) visitor(name, tensor);
}

const at::Tensor& GrowingState::extended(const std::string& name, const at::Tensor& more) {
  at::Tensor& all = kept_[name];
  all = all.defined() ? at::cat({all, more}, 2) : more;
  return all;
}

std::unique_ptr<AttentionState> CachedAttention::new_state(StateUse use) const {
  return use == StateUse::decoding ? std::make_unique<GrowingState>() : nullptr;
}

KeysAndValues CachedAttention::keys_and_values(const AttentionCall& call) const {
  auto* state = static_cast<GrowingState*>(call.state);
  if (state == nullptr) return new_keys_and_values(call.key_input);
  const bool is_known = site_.place == AttentionPlace::decoder_cross && !state->is_empty();
  if (is_known) return {state->kept("key"), state->kept("value")};
  const KeysAndValues more = new_keys_and_values(call.key_input);
  return {state->extended("key", more.key), state->extended("value", more.value)};
}

QueriesKeysValues CachedAttention::queries_keys_and_values(const AttentionCall& call) const {
  if (joins_products(call)) return joined_heads(call.query_input);
  const auto [key, value] = keys_and_values(call);
  return {heads_of("query", call.query_input), key, value};
}

KeysAndValues CachedAttention::new_keys_and_values(const at::Tensor& key_input) const {
  return {heads_of("key", key_input), heads_of("value", key_input)};
}

}  // namespace rethink
