// Attention with a learned window (Yang et al., 2018, "Modeling Localness for Self-Attention
// Networks", section 3). Scores decay as a Gaussian around a centre that each query predicts:
//   A = softmax(Q K^T / sqrt(E) + G) V,  G[i,j] = -2 ((j - P_i) / D_i)^2  (sigma = D / 2),
//   P_i = (I_i - 1) sigmoid(U_p tanh(W_p q_i)),
// where I_i is the number of tokens that query i sees. Each head has its own centre and window D:
//   fixed  `size` tokens
//   query  I_i sigmoid(U_d tanh(W_p q_i)) + 0.1, for each query
//   layer  I_i sigmoid(U_d tanh(W_d k)) + 0.1, where k is the mean of the keys
// The paper has I in place of I - 1, adds nothing to D, and has no biases. I - 1, the 0.1 (so that
// no window is empty) and a bias with each W and U are from the released code. As in that code, I_i
// and the mean in a decoder count only tokens that query i sees, so that no later token leaks.
// Positions count a sequence's own tokens, without padding.
#include <ATen/ATen.h>

#include "models/attention/attend.h"
#include "models/attention/attention.h"
#include "models/tensors/precision.h"

namespace rethink {
namespace {

struct LocalnessOptions {
  std::string window = "query";
  double size = 10;

  void fields(Fields& field) {
    field("window", window,
          "how the window's width is found: fixed, predicted from each query, or predicted from "
          "the mean of the layer's keys")
        .one_of({"fixed", "query", "layer"})
        .shapes();
    field("size", size, "width of a fixed window [tokens]").above(0);
  }
};

class LocalnessAttention : public CachedAttention {
 public:
  LocalnessAttention(const LocalnessOptions& options, const AttentionSite& site)
      : CachedAttention(site), options_(options) {
    add_projection("position");
    add_projection("centre", site.heads);
    if (options.window == "layer") add_projection("mean_key");
    if (options.window != "fixed") add_projection("window", site.heads);
  }

  at::Tensor forward(const AttentionCall& call) override {
    const at::Tensor query_BQD = projected("query", call.query_input);
    const auto [key, value] = keys_and_values(call);
    const at::Tensor scores_BHQK = at::matmul(in_heads(query_BQD), key.transpose(2, 3)) * scale();
    const at::Tensor key_BKD = key.transpose(1, 2).flatten(2);
    return merged("output", attend_by_scores(call, scores_BHQK + gaussian(call, query_BQD, key_BKD),
                                             value, dropout(), call.random));
  }

 private:
  /// Returns a number between 0 and 1 for each head and query: float [B,Q,D] -> float [B,H,Q,1].
  at::Tensor share(const std::string& name, const at::Tensor& hidden_BQD) const {
    return widened(projected(name, hidden_BQD)).sigmoid().transpose(1, 2).unsqueeze(3);
  }

  /// Returns G, float [B,H,Q,K].
  at::Tensor gaussian(const AttentionCall& call, const at::Tensor& query_BQD,
                      const at::Tensor& key_BKD) const {
    const int64_t queries = query_BQD.size(1), keys = key_BKD.size(1);
    const at::Tensor visible_BQK =
        visible_keys(queries, keys, key_BKD.device(), visibility_of(call)).squeeze(1);
    // bfloat16 cannot distinguish positions beyond 256.
    const at::Tensor seen_BQK = visible_BQK.to(widened(key_BKD.scalar_type()));
    const at::Tensor count_B1Q1 = seen_BQK.sum(-1).clamp_min(1).unsqueeze(1).unsqueeze(3);
    const at::Tensor hidden_BQD = projected("position", query_BQD).tanh();
    const at::Tensor centre_BHQ1 = (count_B1Q1 - 1.0) * share("centre", hidden_BQD);
    const at::Tensor apart_BHQK = places(call, key_BKD) - centre_BHQ1;
    if (options_.window == "fixed") return (apart_BHQK / options_.size).square() * -2.0;
    at::Tensor of_window_BQD = hidden_BQD;
    if (options_.window == "layer") {
      const at::Tensor mean_BQD = at::matmul(seen_BQK, widened(key_BKD)) / count_B1Q1.squeeze(1);
      of_window_BQD = projected("mean_key", mean_BQD).tanh();
    }
    const at::Tensor window_BHQ1 = count_B1Q1 * share("window", of_window_BQD) + kLeastWindow;
    return (apart_BHQK / window_BHQ1).square() * -2.0;
  }

  /// Returns float [1|B,1,1,K], the position of each key among the tokens of its sequence.
  static at::Tensor places(const AttentionCall& call, const at::Tensor& key_BKD) {
    const int64_t keys = key_BKD.size(1);
    const at::Tensor places = call.key_keep.defined()
                                  ? call.key_keep.cumsum(1) - 1
                                  : at::arange(keys, key_BKD.options().dtype(at::kLong));
    return places.to(widened(key_BKD.scalar_type())).view({-1, 1, 1, keys});
  }

  static constexpr double kLeastWindow = 0.1;

  const LocalnessOptions options_;
};

RETHINK_REGISTERED = attentions().add<LocalnessOptions>(
    {.name = "localness",
     .summary = "a Gaussian window around a position that each query predicts (Yang et al., 2018)"},
    [](const LocalnessOptions& options, const AttentionSite& site) {
      return std::make_shared<LocalnessAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
