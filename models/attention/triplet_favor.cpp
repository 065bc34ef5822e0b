// Triplet attention in linear time and memory (A3 slides, "By applying the FAVOR trick"). By
// q . (k1 x k2) = k2 . (q x k1) a score is a product of two vectors with three channels:
//   A[i,j] = exp(K'_i . Q'_j / sqrt(d)),  K' = P[K2],  Q'_j = q_j x k1_j
// Random features estimate the exponential, so that no matrix of scores is made:
//   A V = phi(K') (phi(Q')^T V),  each row divided by its sum
// This is the slides' index structure: rows are second keys, and columns are queries with first
// keys of the same position. `triplet` has other triples, since its rows are queries. As in
// `triplet`, the permutation is undone on the axis of columns.
//
//   cosine    the slides' features: exp(x.y) = exp(|x|^2/2) exp(|y|^2/2) (phi(x).phi(y)). The first
//             factor is constant in a row and cancels. Estimates can be negative, hence `guard`: the
//             absolute weights of a row sum to at most 2 / guard
//   positive  exp(w.x - |x|^2/2) (FAVOR+): always above 0
//
// Neither slides nor released code give the number of features or say when they are drawn again:
// here 64, and never. Dropout of weights acts on whole columns, since single weights are never
// made.
#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <cmath>

#include "kernels/philox_dropout/philox_dropout.h"
#include "models/attention/random_features.h"
#include "models/attention/triplet_heads.h"
#include "models/attention/triplet_permutations.h"
#include "models/tensors/precision.h"

namespace rethink {
namespace {

struct TripletFavorOptions : TripletHeadsOptions {
  TripletPermutationOptions permuted;
  std::string features = "cosine";
  int64_t feature_count = 64;
  int64_t feature_seed = 0;
  double guard = 0.1;

  void fields(Fields& field) {
    TripletHeadsOptions::fields(field);
    permuted.fields(field);
    field("features", features, "random features: cosine, as in the slides, or positive (FAVOR+)")
        .one_of({"cosine", "positive"});
    field("feature_count", feature_count, "random features per head").min(1);
    field("feature_seed", feature_seed, "seed of the features, beside the layer's number").min(0);
    field(
        "guard", guard,
        "smallest sum of a row, as a share of the sum for equal vectors; sums of cosines can be 0")
        .above(0);
  }
};

class TripletFavorAttention : public TripletHeadsAttention {
 public:
  TripletFavorAttention(const TripletFavorOptions& options, const AttentionSite& site)
      : TripletHeadsAttention("triplet_favor", options, site),
        options_(options),
        forward_("triplet_favor", options.permuted, site.layer, triplet_channels(),
                 /*inverse=*/false),
        back_("triplet_favor", options.permuted, site.layer, triplet_channels(), /*inverse=*/true),
        features_(options.feature_count, 3,
                  derived({static_cast<uint64_t>(options.feature_seed), kFeatureStream},
                          static_cast<uint64_t>(site.layer))) {}

 protected:
  /// Features of rows and columns, a column's part of the sums, and a row's product with the sums:
  /// three channels and their total weight.
  double triplet_flops(int64_t /*tokens*/) const override {
    return static_cast<double>(options_.feature_count) * (2 * 2 * 3 + 2 * 2 * 4);
  }

  at::Tensor triplets(const AttentionCall& call, const TripletInput& input) override {
    const at::Tensor keep = options_.permuted.padding == "seen" ? at::Tensor() : call.key_keep;
    const double fourth_root = std::sqrt(scale());  // x and y each get a root of the scale
    // Features cancel in the normaliser, so eight bits would leave only rounding errors.
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    const auto heads = [](const at::Tensor& channels) { return heads_of_three(widened(channels)); };
    const at::Tensor x = heads(forward_.permuted(input.key2, keep)) * fourth_root;
    at::Tensor crossed = channels_of(at::linalg_cross(heads(input.query), heads(input.key), -1));
    if (options_.permuted.permute_back) crossed = back_.permuted(crossed, keep);
    const at::Tensor y = heads_of_three(crossed) * fourth_root;
    const Weighing weighing =
        options_.features == "cosine" ? cosines(x, y, keep) : exponentials(x, y, keep);
    return channels_of(weighed(call, weighing, heads(input.value)));
  }

 private:
  static constexpr uint64_t kFeatureStream = 1;

  /// Feature vectors with A[i,j] = rows[i] . columns[j].
  struct Weighing {
    at::Tensor rows, columns;  // float [B,G,T,c]
    at::Tensor most;  // float [B,G,1,1]: a row's sum if its vector equals all other vectors
  };

  /// bool [B,1,T,1], or undefined.
  static at::Tensor hidden_places(const at::Tensor& keep) {
    return keep.defined() ? keep.logical_not().view({keep.size(0), 1, keep.size(1), 1}) : keep;
  }

  Weighing cosines(const at::Tensor& x, const at::Tensor& y, const at::Tensor& keep) const {
    at::Tensor exponents_BGT1 = y.square().sum(-1, /*keepdim=*/true) / 2.0;
    if (keep.defined())
      exponents_BGT1 = exponents_BGT1.masked_fill(hidden_places(keep), kHiddenScore);
    const at::Tensor factors_BGT1 =
        (exponents_BGT1 - exponents_BGT1.detach().amax(2, /*keepdim=*/true)).exp();
    return {features_.cosine(x), features_.cosine(y) * factors_BGT1,
            factors_BGT1.detach().sum(2, /*keepdim=*/true)};
  }

  Weighing exponentials(const at::Tensor& x, const at::Tensor& y, const at::Tensor& keep) const {
    const at::Tensor rows = features_.positive_exponents(x);
    at::Tensor columns = features_.positive_exponents(y);
    if (keep.defined()) columns = columns.masked_fill(hidden_places(keep), kHiddenScore);
    const at::Tensor column_exponentials =
        (columns - columns.detach().amax({2, 3}, /*keepdim=*/true)).exp();
    return {(rows - rows.detach().amax(3, /*keepdim=*/true)).exp(), column_exponentials,
            at::zeros_like(column_exponentials.narrow(2, 0, 1).narrow(3, 0, 1))};
  }

  /// float [B,G,T,3]
  at::Tensor weighed(const AttentionCall& call, const Weighing& weighing,
                     const at::Tensor& value) const {
    const at::Tensor ones_BGT1 = at::ones_like(value.narrow(3, 0, 1));
    const at::Tensor kept = value * philox_dropout(ones_BGT1, dropout(), call.random);
    const at::Tensor sums_BGc4 =
        at::matmul(weighing.columns.transpose(2, 3), at::cat({kept, ones_BGT1}, 3));
    const at::Tensor both_BGT4 = at::matmul(weighing.rows, sums_BGc4);
    const at::Tensor least =
        (weighing.most * options_.guard).clamp_min(std::numeric_limits<float>::min());
    const at::Tensor divisor_BGT1 = at::maximum(both_BGT4.narrow(3, 3, 1), least);
    if (call.record != nullptr && call.record->keep_maps) {
      call.record->maps.push_back(at::matmul(weighing.rows, weighing.columns.transpose(2, 3)) /
                                  divisor_BGT1);
      call.record->values.push_back(value);
    }
    return both_BGT4.narrow(3, 0, 3) / divisor_BGT1;
  }

  const TripletFavorOptions options_;
  const TripletPermutations forward_, back_;
  const RandomFeatures features_;
};

RETHINK_REGISTERED = attentions().add<TripletFavorOptions>(
    {.name = "triplet_favor",
     .summary = "triplet attention in linear time, by random features (A3)",
     .revision = 3,
     .facts = {.weights = "projections",
               .exceptions = {{"cross", "a key is made of two tokens of one sequence"},
                              {"causal", "the sums over all tokens are made once"}}}},
    [](const TripletFavorOptions& options, const AttentionSite& site) {
      return std::make_shared<TripletFavorAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
