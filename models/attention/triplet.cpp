// Triplet attention (A3 slides, "The efficient A3 Attention"). A score has a query, a key, and the
// second key of another token:
//   T[i,c] = q_i . (k1_j x k2_c),  where a permutation assigns position j to c's second key
// softmax(scale T) weights the values, in heads of three channels (triplet_heads.h). K'_c = k1_j x
// k2_c is one vector per column, so this is ordinary attention with K' as keys.
//
// The slides permute K2, k'_j = k1_j x k2_p(j), and undo the permutation on the axis of keys:
// column c belongs to the token whose second key was used, hence j = p^-1(c). `permute_back: false`
// leaves the column with j (the released code's flag permute_back=1). `random` is drawn once per
// layer: n tokens are permuted by the order of the first n of its keys. The released code shuffles
// each length anew.
//
// The released code permutes the padded length and lets triplet heads see padding; the default here
// permutes a sequence's own tokens and hides padding (`padding: seen` is the code's).
#include <ATen/ATen.h>

#include "models/attention/triplet_heads.h"
#include "models/attention/triplet_permutations.h"

namespace rethink {
namespace {

struct TripletOptions : TripletHeadsOptions {
  TripletPermutationOptions permuted;
  bool absolute = false;

  void fields(Fields& field) {
    TripletHeadsOptions::fields(field);
    permuted.fields(field);
    field("absolute", absolute, "take the softmax of |T| (released code's absolute_flag)");
  }
};

class TripletAttention : public TripletHeadsAttention {
 public:
  TripletAttention(const TripletOptions& options, const AttentionSite& site)
      : TripletHeadsAttention("triplet", options, site),
        options_(options),
        permutations_("triplet", options.permuted, site.layer, triplet_channels(),
                      /*inverse=*/options.permuted.permute_back) {}

 protected:
  at::Tensor triplets(const AttentionCall& call, const TripletInput& input) override {
    AttentionCall seen = call;
    if (options_.permuted.padding == "seen") seen.key_keep = at::Tensor();
    const at::Tensor query = heads_of_three(input.query), value = heads_of_three(input.value);
    const at::Tensor keys = keys_of(input, seen.key_keep);
    if (!options_.absolute) {
      return channels_of(
          attend(seen, query, keys, value, {.dropout = dropout(), .scale = scale()}, seen.random));
    }
    const at::Tensor scores_BGTT = at::matmul(query, keys.transpose(2, 3)).abs() * scale();
    return channels_of(attend_by_scores(seen, scores_BGTT, value, dropout(), seen.random));
  }

 private:
  /// Returns K', float [B,G,T,3]. One of the two keys belongs to the column's token, and the other
  /// is permuted.
  at::Tensor keys_of(const TripletInput& input, const at::Tensor& keep) const {
    const bool back = options_.permuted.permute_back;
    const at::Tensor first = back ? permutations_.permuted(input.key, keep) : input.key;
    const at::Tensor second = back ? input.key2 : permutations_.permuted(input.key2, keep);
    return at::linalg_cross(heads_of_three(first), heads_of_three(second), -1);
  }

  const TripletOptions options_;
  const TripletPermutations permutations_;
};

RETHINK_REGISTERED = attentions().add<TripletOptions>(
    {.name = "triplet",
     .summary = "scores of a query and two keys, by the scalar triple product (A3)",
     .revision = 2,
     .facts = {.weights = "projections",
               .exceptions = {{"cross", "a key is made of two tokens of one sequence"},
                              {"causal", "one of the two tokens of a key may come later"}}}},
    [](const TripletOptions& options, const AttentionSite& site) {
      return std::make_shared<TripletAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
