// Attention that learns from syntax, BET(SG) (BET, section 3.2, equation 5). In training, a pointer
// loss moves the weights A of each layer with this variant towards a hint y for each token:
//   L_p = -sum_t log A[t, y_t],  loss = L + lambda_p L_p
// y_t is the position of the nearest ancestor of token t+1 that precedes it, else t itself
// (datasets/text/syntax_hints.h). Outside training the variant equals `dense` and needs no hints.
//
// The paper prints the loss without its sign. It names neither lambda_p nor the heads that learn
// from hints: here the loss acts on the mean of the heads, or on one head. Tokens without a tree
// add nothing. Under the diagonal mask, tokens that are their own hint add nothing. L_p is per
// predicted token, as L is. The curve train/pointer_loss is the sum over layers, without lambda_p,
// for the tokens of a window.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

constexpr int64_t kNoHint = -1;         // as in the side input; lower values: no prediction
constexpr double kLeastWeight = 1e-20;  // replaces a weight of 0 before the logarithm

struct SyntaxGuidedOptions {
  double lambda = 0.1;
  std::optional<int64_t> head;
  bool diagonal_mask = false;

  void fields(Fields& field) {
    field("lambda", lambda, "weight of the pointer loss, per layer and token").min(0);
    field("head", head, "head that learns from the hints; null: the mean of all heads").min(1);
    field("diagonal_mask", diagonal_mask, "hide each token from itself, except the first");
  }
};

class SyntaxGuidedAttention : public CachedAttention {
 public:
  SyntaxGuidedAttention(const SyntaxGuidedOptions& options, const AttentionSite& site)
      : CachedAttention(site), options_(options) {
    if (site.place == AttentionPlace::decoder_cross) {
      throw ConfigError("wrong-attention",
                        "attention 'syntax_guided' is for self-attention: a hint is a position in "
                        "the same sequence; choose another kind for site decoder_cross");
    }
    if (options.head.value_or(1) > site.heads) {
      throw ConfigError("conflicting-values",
                        fmt::format("attention 'syntax_guided': got head: {}, the model has {}",
                                    *options.head, site.heads));
    }
  }

  at::Tensor forward(const AttentionCall& call) override {
    const auto [query, key, value] = queries_keys_and_values(call);
    const AttendOptions options{.dropout = dropout(), .diagonal_masked = options_.diagonal_mask};
    if (!learns(call))
      return merged("output", attend(call, query, key, value, options, call.random));
    AttentionOptions visible = visibility_of(call);
    visible.scale = scale();
    visible.diagonal_masked = options_.diagonal_mask;
    const at::Tensor weights_BHQK = attention_weights(query, key, visible);
    const at::Tensor loss = pointer_loss(weights_BHQK, call.side->at(kHints));
    call.record->add_loss("pointer", loss * options_.lambda);
    call.record->add_number("pointer_loss", loss);
    return merged("output", attend_by_weights(call, weights_BHQK, value, dropout(), call.random));
  }

 private:
  bool learns(const AttentionCall& call) const {
    // Attention may be in training mode during evaluations, but gradients are off.
    if (!is_training() || !at::GradMode::is_enabled()) return false;
    if (call.record == nullptr || options_.lambda == 0) return false;
    if (call.side != nullptr && call.side->contains(kHints)) return true;
    throw TrialError(
        "wrong-attention",
        "attention 'syntax_guided' learns from syntax hints, which this job does not give: choose "
        "another attention, or lambda: 0");
  }

  /// Returns L_p of this layer per predicted token, float [], from weights float [B,H,T,T] and the
  /// side input.
  at::Tensor pointer_loss(const at::Tensor& weights_BHTT, const at::Tensor& hints_BT) const {
    const at::Tensor weights_BTT =
        options_.head ? weights_BHTT.select(1, *options_.head - 1) : weights_BHTT.mean(1);
    at::Tensor is_hinted_BT = hints_BT.ge(0);
    if (options_.diagonal_mask) {
      const at::Tensor own_T = at::arange(hints_BT.size(1), hints_BT.options());
      is_hinted_BT = is_hinted_BT.logical_and(hints_BT.ne(own_T).logical_or(own_T.eq(0)));
    }
    const at::Tensor hinted_BT =
        weights_BTT.gather(2, hints_BT.clamp_min(0).unsqueeze(2)).squeeze(2);
    const at::Tensor loss_BT = hinted_BT.clamp_min(kLeastWeight).log().neg();
    const at::Tensor predicted = hints_BT.ge(kNoHint).sum().clamp_min(1);
    return (loss_BT * is_hinted_BT).sum() / predicted;
  }

  const SyntaxGuidedOptions options_;
};

RETHINK_REGISTERED = attentions().add<SyntaxGuidedOptions>(
    {.name = "syntax_guided",
     .summary = "dense attention that learns from syntax hints during training: BET(SG) (BET, "
                "section 3.2)",
     .revision = 2,
     .facts = {.weights = "projections",
               .exceptions =
                   {{"cross", "a hint is a position in the same sequence"},
                    {"encoder",
                     "only decoders, of the jobs lm and mt, are given syntax hints; choose dense"}},
               .side = {kHints}}},
    [](const SyntaxGuidedOptions& options, const AttentionSite& site) {
      return std::make_shared<SyntaxGuidedAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
