// Attention in which a token does not see itself, except the first token, which sees no other
// (BET, sections 3.2 and 4.3, "DiagFreeMask", Table 2):
//   softmax(S) V with S = Q K^T / sqrt(E), and S[i,i] = -inf where i sees another key.
//
// The same rule holds without the causal mask and with padding in front: a token sees itself only
// if every other key is hidden. Cross-attention has no diagonal, so the variant equals `dense`.
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
