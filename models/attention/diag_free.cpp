// Attention whose tokens do not see themselves, but for one that has nothing else to see: the first
// (BET, sections 3.2 and 4.3, "DiagFreeMask", Table 2),
//   softmax(S) V with S = Q K^T / sqrt(E), and S[i,i] = -inf where i sees another key.
//
// Without the causal mask, or with padding in front, the same rule holds: a token sees itself only
// where every other key is hidden. In cross-attention there is no diagonal and the variant is
// `dense`.
#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

struct DiagFreeOptions {
  void fields(Fields&) {}
};

class DiagFreeAttention : public CachedAttention {
 public:
  explicit DiagFreeAttention(const AttentionSite& site) : CachedAttention(site) {}

  at::Tensor forward(const AttentionCall& call) override {
    const AttendOptions options{.dropout = dropout(),
                                .diagonal_masked = site_.place != AttentionPlace::decoder_cross};
    const auto [query, key, value] = queries_keys_and_values(call);
    return merged("output", attend(call, query, key, value, options, call.random));
  }
};

RETHINK_REGISTERED = attentions().add<DiagFreeOptions>(
    {.name = "diag_free",
     .summary = "dense attention in which only the first token sees itself (BET, section 3.2)",
     .facts = {.weights = "projections"}},
    [](const DiagFreeOptions&, const AttentionSite& site) {
      return std::make_shared<DiagFreeAttention>(site);
    });

}  // namespace
}  // namespace rethink
