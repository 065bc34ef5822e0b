// Attention within clusters of tokens (Roy et al., 2021, "Efficient Content-Based Sparse Attention
// with Routing Transformers", section 4.1 and algorithm 1). The last heads are routing heads, and
// the other heads see the neighbourhood of a query. A routing head normalizes its queries and keys,
// without scale and bias, to the length sqrt(E). Its centroids m_c assign them to clusters:
//   A[i,j] = mean over the clusters c of query i: exp(q_i . k_j / sqrt(E)) / sum over c's keys
// for keys that i may see. In causal attention a token's key is its query (K <- Q, as in the
// released code). Elsewhere the same centroids assign queries and keys.
//
//   nearest   a token is in the cluster c with the largest m_c . x / |m_c|, whatever tokens follow
//   balanced  as published: a centroid takes the `window` tokens nearest to it. In a decoder this
//             choice depends on later tokens: THE PREDICTED TOKEN LEAKS. A token in no cluster gets
//             zeros from the head. A token in several clusters gets their mean (the released code
//             divides by their number + 0.01)
//
// In causal attention the score of a token with its own key is sqrt(E), the largest possible. With
// many channels a head is then close to the identity, since nothing else distinguishes a key from
// its query. `own_key: alone` hides the own key, as lucidrains' routing-transformer and the
// Reformer do when queries are keys. The released code does not hide it, but has local heads and
// positions.
//
// Centroids are buffers without gradient. Each pass of a training step updates them:
//   m_c <- decay m_c + (1 - decay) sum of the tokens nearest to m_c
// If queries and keys differ, the update takes the mean of both sums. Padding belongs to no
// cluster. With `accumulate` a step has several passes. Each pass updates the centroids, and the
// next pass clusters by them. The released code divides by a moving average of the number of
// tokens, which changes only lengths, and clusters by m_c . x, so that lengths count and an empty
// cluster grows. Each layer adds commitment * mean of (x - sqrt(E) m_c / |m_c|)^2 to the loss, with
// c nearest to x (the released code adds the terms of queries and keys).
//
// Differences that remain: the released code does not divide scores of routing heads by sqrt(E), a
// factor that its norm removes from the queries. Both kinds of heads have relative positions there,
// and one more linear layer follows each. Its local heads see the block of the query and the block
// before. BET gives no sizes. The 8 clusters are from the script for WikiText-103. A window of 13
// in BET's lines of 100 tokens has the proportion of 512 in 4,096.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

struct RoutingOptions {
  std::optional<int64_t> routing_heads;
  int64_t clusters = 8;
  int64_t window = 13;
  int64_t local = 13;
  std::string assignment = "nearest";
  std::string own_key = "seen";
  double decay = 0.999;
  double commitment = 1e-4;

  void fields(Fields& field) {
    field("routing_heads", routing_heads,
          "number of heads, counted from the last, that attend within clusters; null = half of "
          "them, or 1 of 1")
        .min(1)
        .shapes();
    field("clusters", clusters, "centroids per routing head").min(1).shapes();
    field("window", window, "tokens per balanced cluster").min(1);
    field("local", local,
          "reach of the other heads, including the query's own token; in a decoder only backwards "
          "[tokens]")
        .min(1);
    field("assignment", assignment,
          "nearest: a token belongs to its nearest centroid; balanced (as published): a centroid "
          "takes its nearest tokens, which in a decoder leaks later tokens")
        .one_of({"nearest", "balanced"});
    field("own_key", own_key,
          "whether a query in a routing head sees its own token, whose key equals the query: seen: "
          "always; alone: only if it sees no other key of its cluster")
        .one_of({"seen", "alone"})
        .absent_means("seen");
    field(
        "decay", decay,
        "share of itself that a centroid keeps in a training pass; a step has `accumulate` passes")
        .min(0)
        .max(1);
    field("commitment", commitment,
          "weight in the loss of the distance between tokens and their centroids")
        .min(0);
  }
};

/// Queries or keys of R routing heads, with C clusters per head.
struct Routed {
  at::Tensor tokens;   // float [B,R,T,E], of length sqrt(E)
  at::Tensor nearest;  // float [B,R,T,C], 1 at the nearest centroid, 0 elsewhere and for padding
  at::Tensor members;  // float [B,R,T,C], 1 where the token is in the cluster
};

class RoutingAttention : public ProjectedAttention {
 public:
  RoutingAttention(const RoutingOptions& options, const AttentionSite& site)
      : ProjectedAttention(site),
        options_(options),
        routing_heads_(options.routing_heads.value_or(std::max<int64_t>(site.heads / 2, 1))) {
    if (site.place == AttentionPlace::decoder_cross) {
      throw ConfigError(
          "wrong-attention",
          "attention 'routing' is for self-attention: a token is query and key at once, and local "
          "heads see its neighbours; choose another kind for site decoder_cross");
    }
    if (routing_heads_ > site.heads) {
      throw ConfigError(
          "conflicting-values",
          fmt::format("attention 'routing': got routing_heads {}, expected at most heads, {}",
                      routing_heads_, site.heads));
    }
    centroids_ = register_buffer(
        "centroids",
        at::empty({routing_heads_, options.clusters, site.d_model / site.heads}).normal_());
  }

  at::Tensor forward(const AttentionCall& call) override {
    TORCH_CHECK(call.query_offset == 0 && call.query_input.size(1) == call.key_input.size(1),
                "routing attention is of whole sequences with themselves");
    const auto [local_query, routed_query] = by_kind(heads_of("query", call.query_input));
    const auto [local_key, routed_key] = by_kind(heads_of("key", call.key_input));
    const at::Tensor value_BHTE = heads_of("value", call.key_input);
    const at::Tensor weights_BHTT =
        at::cat({local_weights(call, local_query, local_key),
                 routed_weights(call, routed_query, routed_key).to(value_BHTE.scalar_type())},
                1);
    return merged("output",
                  attend_by_weights(call, weights_BHTT, value_BHTE, dropout(), call.random));
  }

 private:
  /// Splits float [B,H,T,E] into local heads and routing heads.
  std::pair<at::Tensor, at::Tensor> by_kind(const at::Tensor& heads) const {
    const int64_t local = site_.heads - routing_heads_;
    return {heads.narrow(1, 0, local), heads.narrow(1, local, routing_heads_)};
  }

  /// float [B,H-R,T,T]
  at::Tensor local_weights(const AttentionCall& call, const at::Tensor& query,
                           const at::Tensor& key) const {
    AttentionOptions options = visibility_of(call);
    options.scale = scale();
    const at::Tensor place_T = at::arange(query.size(2), query.options().dtype(at::kLong));
    options.mask = ((place_T.unsqueeze(1) - place_T).abs() < options_.local).unsqueeze(0);
    return attention_weights(query, key, options);
  }

  /// float [B,R,T,T]
  at::Tensor routed_weights(const AttentionCall& call, const at::Tensor& query_BRTE,
                            const at::Tensor& key_BRTE) {
    // In bfloat16 rounding alone would move tokens to other clusters.
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    std::vector<Routed> all = {routed(call, query_BRTE)};
    if (!call.causal) all.push_back(routed(call, key_BRTE));
    if (call.record != nullptr) {
      call.record->add_loss("commitment", commitment(all));
      // Attention may be in training mode during evaluations, but gradients are off.
      if (is_training() && at::GradMode::is_enabled()) learn(all);
    }
    return within_clusters(call, all.front(), all.back());
  }

  /// Returns A of the opening comment: each exponential of a row, divided by the sums of the
  /// clusters that query and key share.
  at::Tensor within_clusters(const AttentionCall& call, const Routed& query,
                             const Routed& key) const {
    const at::Tensor scores_BRQK = at::matmul(query.tokens, key.tokens.transpose(2, 3)) * scale();
    at::Tensor visible = visible_keys(scores_BRQK.size(2), scores_BRQK.size(3),
                                      scores_BRQK.device(), visibility_of(call));
    const bool is_own_hidden = options_.own_key == "alone";
    if (is_own_hidden)
      visible = visible.logical_and(at::eye(scores_BRQK.size(2), visible.options()).logical_not());
    const at::Tensor hidden = visible.logical_not();
    const at::Tensor seen_BRQK = scores_BRQK.masked_fill(hidden, kHiddenScore);
    const at::Tensor exponentials_BRQK =
        (seen_BRQK - seen_BRQK.detach().amax(-1, /*keepdim=*/true)).exp().masked_fill(hidden, 0.0);
    const at::Tensor sums_BRQC = at::matmul(exponentials_BRQK, key.members);
    // A cluster without a key that the query sees has the sum 0 and divides nothing.
    const at::Tensor factors_BRQC = query.members / (sums_BRQC + sums_BRQC.eq(0));
    const at::Tensor clusters_BRQ1 = query.members.sum(-1, /*keepdim=*/true).clamp_min(1);
    at::Tensor weights_BRQK =
        exponentials_BRQK * at::matmul(factors_BRQC, key.members.transpose(2, 3));
    if (is_own_hidden) {
      const at::Tensor others_BRQC = at::matmul(visible.to(key.members.scalar_type()), key.members);
      const at::Tensor alone_BRQ = (query.members * key.members * others_BRQC.eq(0)).sum(-1);
      weights_BRQK = weights_BRQK + at::diag_embed(alone_BRQ);
    }
    return weights_BRQK / clusters_BRQ1;
  }

  /// `heads`: queries or keys, float [B,R,T,E].
  Routed routed(const AttentionCall& call, const at::Tensor& heads) const {
    Routed result;
    result.tokens =
        at::layer_norm(heads.to(centroids_.scalar_type()), {heads.size(3)}, {}, {}, kEpsilon);
    const at::NoGradGuard no_gradient;
    const at::Tensor near_BRTC = at::matmul(result.tokens, directions().transpose(1, 2));
    result.nearest =
        at::one_hot(near_BRTC.argmax(-1), options_.clusters).to(near_BRTC.scalar_type());
    result.members = options_.assignment == "nearest" ? result.nearest : taken(call, near_BRTC);
    if (!call.key_keep.defined()) return result;
    const at::Tensor kept_B1T1 = call.key_keep.unsqueeze(1).unsqueeze(3);
    result.nearest = result.nearest * kept_B1T1;
    result.members = result.members * kept_B1T1;
    return result;
  }

  /// Returns float [B,R,T,C]: 1 at each centroid's `window` nearest tokens of the sequence.
  at::Tensor taken(const AttentionCall& call, const at::Tensor& near_BRTC) const {
    at::Tensor near = near_BRTC;
    if (call.key_keep.defined())
      near = near.masked_fill(call.key_keep.logical_not().unsqueeze(1).unsqueeze(3), kHiddenScore);
    const int64_t tokens = std::min(options_.window, near.size(2));
    return at::zeros_like(near).scatter_(2, std::get<1>(near.topk(tokens, /*dim=*/2)), 1.0);
  }

  /// Returns the centroids, scaled to length 1.
  at::Tensor directions() const {
    return centroids_ / centroids_.norm(2, {2}, /*keepdim=*/true).clamp_min(kEpsilon);
  }

  /// Returns the layer's term of the loss, averaged over tokens.
  at::Tensor commitment(const std::vector<Routed>& all) const {
    const double length = std::sqrt(static_cast<double>(centroids_.size(2)));
    at::Tensor sum = at::zeros({}, centroids_.options()), count = sum;
    for (const Routed& each : all) {
      const at::Tensor kept_BRT = each.nearest.sum(-1);
      const at::Tensor apart_BRTE = each.tokens - at::matmul(each.nearest, directions() * length);
      sum = sum + (apart_BRTE.square().mean(-1) * kept_BRT).sum();
      count = count + kept_BRT.sum();
    }
    return sum / count.clamp_min(1) * options_.commitment;
  }

  void learn(const std::vector<Routed>& all) {
    const at::NoGradGuard no_gradient;
    centroids_.mul_(options_.decay);
    const double share = (1.0 - options_.decay) / static_cast<double>(all.size());
    for (const Routed& each : all)
      centroids_.add_(at::matmul(each.nearest.transpose(2, 3), each.tokens).sum(0), share);
  }

  static constexpr double kEpsilon = 1e-6;  // the released code's layer norm

  const RoutingOptions options_;
  const int64_t routing_heads_;
  at::Tensor centroids_;  // float [R,C,E]
};

RETHINK_REGISTERED = attentions().add<RoutingOptions>(
    {.name = "routing",
     .summary = "attention within clusters of tokens, beside local heads (Roy et al., 2021)",
     .revision = 2,
     .facts =
         {.exceptions = {{"cross",
                          "a token is query and key at once, and local heads see its neighbours"},
                         {"decoding", "what a cluster's tokens see is sorted anew with each one"}},
          .minds_padding = true,
          .looks_ahead = {{"assignment",
                           {{"balanced",
                             "which tokens a cluster takes depends on those that come later"}}}}}},
    [](const RoutingOptions& options, const AttentionSite& site) {
      return std::make_shared<RoutingAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
