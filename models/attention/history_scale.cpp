// Attention whose scores of a token with all other tokens are multiplied by `rate` before the
// softmax (BET, section 4.3, "lower triangular attention values"; the paper prints no result). A
// rate below 1 weakens the differences between earlier tokens, a rate above 1 strengthens them:
//   softmax(S) V with S = Q K^T / sqrt(E), and S[i,j] times rate where i != j.
// A rate of 1 is `dense`. At rates near 0 a token attends evenly to all other tokens.
//
// Section 4.3 also announces the combination of its changes: `diagonal_rate` multiplies S[i,i] as
// `diag_scale` does, and `diagonal_mask` hides it as `diag_free` does.
//
// All scores are scaled by rate, and a diagonal rate of 1/rate cancels this on the diagonal. In
// cross-attention all keys are other tokens.
#include <cmath>

#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

struct HistoryScaleOptions {
  double rate = 0.2;
  double diagonal_rate = 1;
  bool diagonal_mask = false;

  void fields(Fields& field) {
    field("rate", rate, "factor of a token's scores with all others (BET, section 4.3)").above(0);
    field("diagonal_rate", diagonal_rate,
          "factor of a token's score with itself, as of diag_scale (BET, section 4.3, combined)")
        .absent_means(1.0);
    field("diagonal_mask", diagonal_mask,
          "hide each token from itself, as diag_free does (BET, section 4.3, combined)")
        .absent_means(false);
  }

  static std::vector<Rule> rules() {
    return {needs_one_of("diagonal_mask", true, "diagonal_rate", {1.0},
                         "a hidden score has no rate: give diagonal_mask or diagonal_rate")};
  }
};

class HistoryScaleAttention : public CachedAttention {
 public:
  HistoryScaleAttention(const HistoryScaleOptions& options, const AttentionSite& site)
      : CachedAttention(site), options_(options) {}

  at::Tensor forward(const AttentionCall& call) override {
    const at::Tensor query = heads_of("query", call.query_input);
    AttendOptions options{.dropout = dropout(),
                          .scale = options_.rate / std::sqrt(static_cast<double>(query.size(-1)))};
    if (site_.place != AttentionPlace::decoder_cross) {
      options.diagonal_rate = options_.diagonal_rate / options_.rate;
      options.diagonal_masked = options_.diagonal_mask;
    }
    const auto [key, value] = keys_and_values(call);
    return merged("output", attend(call, query, key, value, options, call.random));
  }

 private:
  const HistoryScaleOptions options_;
};

RETHINK_REGISTERED = attentions().add<HistoryScaleOptions>(
    {.name = "history_scale",
     .summary = "dense attention with the scores off the diagonal times a rate (BET, section 4.3)",
     .facts = {.weights = "projections"}},
    [](const HistoryScaleOptions& options, const AttentionSite& site) {
      return std::make_shared<HistoryScaleAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
