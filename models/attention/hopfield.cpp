// The Hopfield layer (Ramsauer et al., 2020, "Hopfield Networks is All You Need", equation 10, and
// the module Hopfield of their released code). The update rule
//   q <- softmax(beta q K^T) K
// moves a query towards the stored keys, `steps` times or until it converges. The result is
//   Z = softmax(beta q K^T) V.
// With 0 steps, the released code's default and BET's baseline, this is attention with a layer norm
// on each of its three inputs. The released code stops the updates of a head when no query of the
// whole batch moves any more. Here each query stops alone, so that other sequences have no
// influence. Dropout acts only on the last weights.
#include <ATen/ATen.h>

#include "models/attention/attend.h"
#include "models/attention/attention.h"
#include "models/layers.h"

namespace rethink {
namespace {

struct HopfieldOptions {
  int64_t steps = 0;
  double tolerance = 1e-4;
  std::optional<double> beta;
  bool normalize = true;

  void fields(Fields& field) {
    field("steps", steps, "largest number of updates of a query").min(0);
    field("tolerance", tolerance,
          "updates of a query end when its weights move less than this (Euclidean norm)")
        .min(0);
    field("beta", beta, "inverse temperature; null = 1/sqrt(head width)").above(0);
    field("normalize", normalize, "apply layer norm to the inputs of query, key and value")
        .shapes();
  }
};

class HopfieldAttention : public CachedAttention {
 public:
  HopfieldAttention(const HopfieldOptions& options, const AttentionSite& site)
      : CachedAttention(site), options_(options) {
    if (!options.normalize) return;
    for (const std::string name : {"query", "key", "value"})
      norms_[name] = add_norm(*this, name + "_norm", site.d_model);
  }

  double pair_flops(int64_t tokens, int64_t width) const override {
    return static_cast<double>(1 + options_.steps) * Attention::pair_flops(tokens, width);
  }

  at::Tensor forward(const AttentionCall& call) override {
    const auto [key, value] = keys_and_values(call);
    const at::Tensor state_BHQE =
        settled(call, heads_of("query", normalized("query", call.query_input)), key);
    return merged("output", attend(call, state_BHQE, key, value,
                                   {.dropout = dropout(), .scale = beta()}, call.random));
  }

 protected:
  KeysAndValues new_keys_and_values(const at::Tensor& key_input) const override {
    return {heads_of("key", normalized("key", key_input)),
            heads_of("value", normalized("value", key_input))};
  }

 private:
  double beta() const { return options_.beta.value_or(scale()); }

  at::Tensor normalized(const std::string& name, const at::Tensor& input) const {
    const auto found = norms_.find(name);
    if (found == norms_.end()) return input;
    const auto& [weight, bias] = found->second;
    return at::layer_norm(input, {site_.d_model}, weight, bias);
  }

  /// Returns the queries after their updates, float [B,H,Q,E]. A query has converged when the
  /// weights of its update no longer change.
  at::Tensor settled(const AttentionCall& call, at::Tensor state, const at::Tensor& key) const {
    AttentionOptions options = visibility_of(call);
    options.scale = beta();
    at::Tensor last_BHQK, moves_BHQ1;
    for (int64_t step = 0; step < options_.steps; ++step) {
      const at::Tensor weights_BHQK = attention_weights(state, key, options);
      if (last_BHQK.defined()) {
        const at::Tensor moved_BHQ1 =
            (weights_BHQK - last_BHQK).detach().norm(2, {3}, /*keepdim=*/true);
        moves_BHQ1 = moves_BHQ1.logical_and(moved_BHQ1 > options_.tolerance);
      } else {
        moves_BHQ1 = at::ones_like(weights_BHQK.narrow(3, 0, 1), at::kBool);
      }
      state = at::where(moves_BHQ1, at::matmul(weights_BHQK, key), state);
      last_BHQK = weights_BHQK;
    }
    return state;
  }

  const HopfieldOptions options_;
  std::map<std::string, AffinePair> norms_;
};

RETHINK_REGISTERED = attentions().add<HopfieldOptions>(
    {.name = "hopfield",
     .summary = "queries that move towards their keys before they attend (Ramsauer et al., 2020)"},
    [](const HopfieldOptions& options, const AttentionSite& site) {
      return std::make_shared<HopfieldAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
