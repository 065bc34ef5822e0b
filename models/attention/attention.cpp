#include "models/attention/attention.h"

#include <ATen/ATen.h>

#include <cmath>

#include "models/linear.h"

namespace rethink {

AttentionRegistry& attentions() {
  static AttentionRegistry registry("attention", "models/attention");
  return registry;
}

ProjectedAttention::ProjectedAttention(const AttentionSite& site) : site_(site) {
  if (site.d_model < 1 || site.heads < 1 || site.d_model % site.heads != 0) {
    throw ConfigError("d_model must be a multiple of heads: got d_model " +
                      std::to_string(site.d_model) + ", heads " + std::to_string(site.heads));
  }
  for (const char* name : {"query", "key", "value", "output"}) add_projection(name);
}

void ProjectedAttention::add_projection(const std::string& name, int64_t outputs) {
  const int64_t width = site_.d_model, out = outputs == 0 ? width : outputs;
  // As torch.nn.MultiheadAttention, which the released code of BET uses: Xavier over the stacked
  // input projections, 1/sqrt(D) for output projections, biases zero.
  const bool input = name.rfind("output", 0) != 0;
  const double bound =
      input ? std::sqrt(6.0 / (4.0 * width)) : 1.0 / std::sqrt(static_cast<double>(width));
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

at::Tensor ProjectedAttention::merged(const std::string& name, const at::Tensor& heads) const {
  return projected(name,
                   heads.transpose(1, 2).reshape({heads.size(0), heads.size(2), site_.d_model}));
}

}  // namespace rethink
