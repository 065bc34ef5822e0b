// Explicit sparse attention (Zhao et al., 2019, "Explicit Sparse Transformer", equations 5 to 7).
// Only the k largest scores of a query count:
//   P = Q K^T / sqrt(E),  A = softmax(P where P >= the k-th largest of its row) V.
// Masks apply before the choice of the k keys. A query that sees at most k keys keeps all of them.
// Ties with the k-th score are kept, as in the released code. The choice has no gradient. BET does
// not say its k; 8 is from the released code's script for IWSLT.
#include <ATen/ATen.h>

#include <limits>

#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

struct TopKOptions {
  int64_t k = 8;

  void fields(Fields& field) {
    field("k", k, "number of keys that a query attends to, those with the largest scores").min(1);
  }
};

class TopKAttention : public CachedAttention {
 public:
  TopKAttention(const TopKOptions& options, const AttentionSite& site)
      : CachedAttention(site), options_(options) {}

  at::Tensor forward(const AttentionCall& call) override {
    const auto [key, value] = keys_and_values(call);
    const at::Tensor scores_BHQK =
        at::matmul(heads_of("query", call.query_input), key.transpose(2, 3)) * scale();
    return merged("output", attend_by_scores(call, largest(scores_BHQK, call), value, dropout(),
                                             call.random));
  }

 private:
  /// Returns `scores`, float [B,H,Q,K], with very low values in place of all but the k largest.
  at::Tensor largest(const at::Tensor& scores, const AttentionCall& call) const {
    if (options_.k >= scores.size(3)) return scores;
    const at::Tensor visible =
        visible_keys(scores.size(2), scores.size(3), scores.device(), visibility_of(call));
    const at::Tensor seen = scores.detach().masked_fill(visible.logical_not(),
                                                        -std::numeric_limits<double>::infinity());
    const at::Tensor kth_BHQ1 =
        std::get<0>(seen.topk(options_.k, /*dim=*/-1)).narrow(3, options_.k - 1, 1);
    return scores.masked_fill(seen < kth_BHQ1, kHiddenScore);
  }

  const TopKOptions options_;
};

RETHINK_REGISTERED = attentions().add<TopKOptions>(
    {.name = "topk",
     .summary = "attention to the k keys with the largest scores (Zhao et al., 2019)",
     .facts = {.weights = "projections"}},
    [](const TopKOptions& options, const AttentionSite& site) {
      return std::make_shared<TopKAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
