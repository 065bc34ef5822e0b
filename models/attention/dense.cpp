// Scaled dot-product attention with several heads (Vaswani et al., 2017): BET's baseline
// "Transformer":
//   softmax(S) V with S = Q K^T / sqrt(E), over the keys that a query may see.
// Supports cross-attention, padding and non-causal use.
#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

struct DenseOptions {
  void fields(Fields&) {}
};

class DenseAttention : public CachedAttention {
 public:
  explicit DenseAttention(const AttentionSite& site) : CachedAttention(site) {}

  at::Tensor forward(const AttentionCall& call) override {
    const AttendOptions options{.dropout = dropout()};
    const auto [query, key, value] = queries_keys_and_values(call);
    return merged("output", attend(call, query, key, value, options, call.random));
  }
};

RETHINK_REGISTERED = attentions().add<DenseOptions>(
    {.name = "dense",
     .summary = "softmax(Q K^T / sqrt(E)) V over all visible tokens (Vaswani et al., 2017)",
     .facts = {.weights = "projections"}},
    [](const DenseOptions&, const AttentionSite& site) {
      return std::make_shared<DenseAttention>(site);
    });

}  // namespace
}  // namespace rethink
