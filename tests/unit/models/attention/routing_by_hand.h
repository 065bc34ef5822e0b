// Routing attention computed in float64, one query, token and cluster after another.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/json.h"
#include "models/attention/attention.h"
#include "models/tensors/tensor_file.h"

namespace rethink::routing_by_hand {

using Row = std::vector<double>;

constexpr int64_t kRoutingWidth = 8, kRoutingTokens = 7, kClusters = 3, kLocal = 2, kWindow = 3;

/// Makes an attention of two heads, the second one a routing head, unless `heads` is given.
inline std::shared_ptr<Attention> make_routing(const Json& options = Json::object(),
                                               int64_t heads = 2) {
  AttentionSite site;
  site.d_model = kRoutingWidth;
  site.heads = heads;
  Json all = {{"clusters", kClusters}, {"local", kLocal}, {"window", kWindow}};
  all.update(options);
  auto attention = attentions().make("routing", all, site);
  attention->to(at::kDouble);
  attention->eval();
  const at::NoGradGuard no_gradient;
  for (const auto& parameter : attention->named_parameters())
    parameter.value().add_(0.3 * at::randn_like(parameter.value()));  // biases too
  return attention;
}

struct RoutingInput {
  at::Tensor input;  // float64 [2,T,D]
  bool causal = true;
  at::Tensor keep = {};  // bool [2,T]; undefined = all

  bool kept(int64_t b, int64_t i) const { return !keep.defined() || keep[b][i].item<bool>(); }
  bool sees(int64_t b, int64_t i, int64_t j) const { return (!causal || j <= i) && kept(b, j); }
  AttentionCall call(Recorder* record = nullptr) const {
    return {.query_input = input,
            .key_input = input,
            .key_keep = keep,
            .causal = causal,
            .record = record};
  }
};

inline at::Tensor some_input() {
  return at::randn({2, kRoutingTokens, kRoutingWidth}, at::kDouble);
}

/// Returns padding at the end and in between.
inline at::Tensor some_padding() {
  return at::tensor({1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1}, at::kLong)
      .view({2, kRoutingTokens})
      .to(at::kBool);
}

inline std::vector<RoutingInput> routing_situations() {
  std::vector<RoutingInput> found;
  for (const bool causal : {true, false}) {
    found.push_back({some_input(), causal});
    found.push_back({some_input(), causal, some_padding()});
  }
  return found;
}

inline at::Tensor centroids_of(const Attention& attention) {
  return weights_of(attention).at("centroids");
}

inline double dot(const Row& a, const Row& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline Row numbers(const at::Tensor& row) {
  const at::Tensor whole = row.detach().contiguous();
  return {whole.const_data_ptr<double>(), whole.const_data_ptr<double>() + whole.numel()};
}

/// Returns one row's layer norm without scale and bias.
inline Row normed(Row row) {
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / double(row.size());
  for (double& number : row) number -= mean;
  const double deviation = std::sqrt(dot(row, row) / double(row.size()) + 1e-6);
  for (double& number : row) number /= deviation;
  return row;
}

/// A routing or local head of the variant.
struct Head {
  const std::map<std::string, at::Tensor> weights;
  const int64_t number, each;  // of the head; number of its channels
  const int64_t routing = 0;   // number among the routing heads

  Row channels(const std::string& name, const at::Tensor& token) const {
    const at::Tensor all = at::mv(weights.at(name + ".weight"), token) + weights.at(name + ".bias");
    return numbers(all.narrow(0, number * each, each));
  }
  /// Returns the query or the key of a token, as in causal attention.
  Row token(const std::string& name, const RoutingInput& seen, int64_t b, int64_t i) const {
    return normed(channels(seen.causal ? "query" : name, seen.input[b][i]));
  }
  Row centroid(int64_t cluster) const { return numbers(weights.at("centroids")[routing][cluster]); }
  double nearness(const Row& token, int64_t cluster) const {
    const Row centre = centroid(cluster);
    return dot(token, centre) / std::sqrt(dot(centre, centre));
  }
  int64_t nearest(const Row& token) const {
    int64_t best = 0;
    for (int64_t c = 1; c < kClusters; ++c) {
      if (nearness(token, c) > nearness(token, best)) best = c;
    }
    return best;
  }
  /// Returns the clusters of the tokens of sequence b, by their queries or keys.
  std::vector<std::vector<int64_t>> members(const std::string& name, const RoutingInput& seen,
                                            int64_t b, bool balanced) const {
    std::vector<std::vector<int64_t>> clusters(kClusters);
    for (int64_t c = 0; c < kClusters; ++c) {
      std::vector<int64_t> tokens;
      for (int64_t i = 0; i < seen.input.size(1); ++i) {
        if (!seen.kept(b, i)) continue;
        if (balanced || nearest(token(name, seen, b, i)) == c) tokens.push_back(i);
      }
      if (balanced) {
        std::ranges::sort(tokens, std::greater<>(),
                          [&](int64_t i) { return nearness(token(name, seen, b, i), c); });
        tokens.resize(std::min<size_t>(tokens.size(), kWindow));
      }
      clusters[static_cast<size_t>(c)] = tokens;
    }
    return clusters;
  }
};

inline Head routing_head(const Attention& attention, int64_t heads, int64_t number,
                         int64_t routing = 0) {
  return {weights_of(attention), number, kRoutingWidth / heads, routing};
}

}  // namespace rethink::routing_by_hand
