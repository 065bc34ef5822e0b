// Scores fall with the distance in tokens, by a rate that each head learns:
// softmax(Q K^T / sqrt(E) - rate |i - j|) V.
#include <ATen/ATen.h>

#include "models/attention/attend.h"

namespace rethink {
namespace {

struct DistanceBiasOptions {
  double rate = 0.1;
  void fields(Fields& field) { field("rate", rate, "lost per token of distance, at first").min(0); }
};

class DistanceBiasAttention : public CachedAttention {  // brings query, key, value, output
 public:
  DistanceBiasAttention(const DistanceBiasOptions& options, const AttentionSite& site)
      : CachedAttention(site) {
    if (site.place == AttentionPlace::decoder_cross)
      throw ConfigError("attention 'distance_bias' needs self-attention; choose another kind");
    rate_H_ = register_parameter("rate", at::full({site.heads}, options.rate));
  }
  at::Tensor forward(const AttentionCall& call) override {  // [B,Q,D] -> [B,Q,D]
    const auto [key, value] = keys_and_values(call);  // also those that were kept while decoding
    const auto integers = key.options().dtype(at::kLong);
    const at::Tensor query_Q = at::arange(call.query_input.size(1), integers) + call.query_offset;
    const at::Tensor key_K = at::arange(key.size(2), integers);
    AttendOptions options{.dropout = dropout()};
    options.bias = -rate_H_.view({-1, 1, 1}) * (query_Q.unsqueeze(1) - key_K).abs();  // [H,Q,K]
    return merged("output", attend(call, heads_of("query", call.query_input), key, value, options,
                                   call.random));
  }

 private:
  at::Tensor rate_H_;
};

RETHINK_REGISTERED = attentions().add<DistanceBiasOptions>(
    {.name = "distance_bias",
     .summary = "scores fall with distance at a learned rate",
     .facts = {.weights = "projections",
               .exceptions = {{"cross", "there is no distance between two sequences"}}}},
    [](const DistanceBiasOptions& options, const AttentionSite& site) {
      return std::make_shared<DistanceBiasAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
