// Triplet attention over all triples of tokens, without a permutation (A3 slides, "The A3
// Attention"). The scores
//   T[i,j,k] = q_i . (k1_j x k2_k)
// are reduced over k, and softmax(scale sum_k T) or softmax(scale max_k T) weights the values of j.
// The slides write T W and leave W open; their released code has the sum and the maximum. All L x L
// x L scores are computed. This variant is the slides' L^3 in the figure of speed, too slow to
// train.
//
// `collapsed` computes the same sum by ordinary attention: sum_k q_i . (k1_j x k2_k) = q_i . (k1_j
// x sum_k k2_k).
#include <ATen/ATen.h>

#include "models/attention/triplet_heads.h"
#include "models/tensors/precision.h"

namespace rethink {
namespace {

struct TripletCubicOptions : TripletHeadsOptions {
  std::string reduce = "sum";

  void fields(Fields& field) {
    TripletHeadsOptions::fields(field);
    field("reduce", reduce,
          "reduction over the third token: sum or maximum; collapsed: the sum, without computing "
          "all scores")
        .one_of({"sum", "max", "collapsed"});
  }
};

class TripletCubicAttention : public TripletHeadsAttention {
 public:
  TripletCubicAttention(const TripletCubicOptions& options, const AttentionSite& site)
      : TripletHeadsAttention("triplet_cubic", options, site), options_(options) {}

 protected:
  double triplet_flops(int64_t tokens) const override {
    const double pairs = Attention::pair_flops(tokens, 3);
    if (options_.reduce == "collapsed") return pairs;
    return pairs / 2 * static_cast<double>(1 + tokens);  // a score for each pair of others
  }

  at::Tensor triplets(const AttentionCall& call, const TripletInput& input) override {
    const at::Tensor query = heads_of_three(input.query), key = heads_of_three(input.key),
                     value = heads_of_three(input.value);
    at::Tensor key2 = heads_of_three(input.key2);
    if (options_.reduce == "collapsed") {
      // Widened, since autocast sums in float32, but a cross product needs equal types.
      const at::Tensor sum = kept(widened(key2), call.key_keep).sum(2, /*keepdim=*/true);
      const at::Tensor keys =
          at::linalg_cross(widened(key), sum.expand_as(key), -1).to(key.scalar_type());
      return channels_of(
          attend(call, query, keys, value, {.dropout = dropout(), .scale = scale()}, call.random));
    }
    return channels_of(attend_by_scores(call, reduced(all_scores(query, key, key2), call.key_keep),
                                        value, dropout(), call.random));
  }

 private:
  /// Replaces padding by zeros.
  static at::Tensor kept(const at::Tensor& heads, const at::Tensor& keep) {
    if (!keep.defined()) return heads;
    return heads.masked_fill(keep.logical_not().view({keep.size(0), 1, keep.size(1), 1}), 0.0);
  }

  /// float [B,G,T,T,T]
  static at::Tensor all_scores(const at::Tensor& query, const at::Tensor& key,
                               const at::Tensor& key2) {
    const int64_t tokens = key.size(2);
    const auto sizes = {key.size(0), key.size(1), tokens, tokens, key.size(3)};
    const at::Tensor pairs =
        at::linalg_cross(key.unsqueeze(3).expand(sizes), key2.unsqueeze(2).expand(sizes), -1);
    return at::matmul(query, pairs.flatten(2, 3).transpose(2, 3)).unflatten(3, {tokens, tokens});
  }

  /// Returns scaled scores, float [B,G,T,T]. Padding is excluded as third token.
  at::Tensor reduced(const at::Tensor& scores, const at::Tensor& keep) const {
    const bool sums = options_.reduce == "sum";
    at::Tensor third = scores;
    if (keep.defined()) {
      const at::Tensor hidden = keep.logical_not().view({keep.size(0), 1, 1, 1, keep.size(1)});
      third = scores.masked_fill(hidden, sums ? 0.0 : kHiddenScore);
    }
    return (sums ? third.sum(-1) : third.amax(-1)) * scale();
  }

  const TripletCubicOptions options_;
};

RETHINK_REGISTERED = attentions().add<TripletCubicOptions>(
    {.name = "triplet_cubic",
     .summary = "the scores of all L^3 triples of tokens (A3)",
     .facts = {.weights = "projections",
               .exceptions = {{"cross", "a key is made of two tokens of one sequence"},
                              {"causal", "every score looks at all tokens as the third"}}}},
    [](const TripletCubicOptions& options, const AttentionSite& site) {
      return std::make_shared<TripletCubicAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
