// Attention whose score of a token with itself is multiplied by `rate` before the softmax (BET,
// section 4.3, "Reduced/Magnified Diag", Table 2 and Figure 3):
//   softmax(S) V with S = Q K^T / sqrt(E), and S[i,i] times rate.
// A rate of 1 is `dense`.
//
// The diagonal is also scaled without the causal mask. In cross-attention, queries and keys are
// tokens of different sequences. There is no diagonal, so the variant equals `dense`.
#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

struct DiagScaleOptions {
  double rate = 0.2;

  void fields(Fields& field) {
    field("rate", rate,
          "factor of a token's score with itself: 0.2 reduced, 2 magnified (BET, Table 2)");
  }
};

class DiagScaleAttention : public CachedAttention {
 public:
  DiagScaleAttention(const DiagScaleOptions& options, const AttentionSite& site)
      : CachedAttention(site),
        rate_(site.place == AttentionPlace::decoder_cross ? 1.0 : options.rate) {}

  at::Tensor forward(const AttentionCall& call) override {
    const AttendOptions options{.dropout = dropout(), .diagonal_rate = rate_};
    const auto [query, key, value] = queries_keys_and_values(call);
    return merged("output", attend(call, query, key, value, options, call.random));
  }

 private:
  const double rate_;
};

RETHINK_REGISTERED = attentions().add<DiagScaleOptions>(
    {.name = "diag_scale",
     .summary =
         "dense attention with the diagonal's scores times a rate (BET, section 4.3, Figure 3)",
     .facts = {.weights = "projections"}},
    [](const DiagScaleOptions& options, const AttentionSite& site) {
      return std::make_shared<DiagScaleAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
