// Attention computed in float64, one query after another, shared by the tests of single variants.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <functional>

#include "core/json_fwd.h"
#include "models/attention/attention.h"

namespace rethink::by_hand {

constexpr int64_t kWidth = 8, kHeads = 2, kEach = kWidth / kHeads, kTokens = 7;
inline const double kScale = 1.0 / std::sqrt(static_cast<double>(kEach));

inline std::shared_ptr<Attention> make_perturbed(
    const std::string& name, const Json& options,
    AttentionPlace place = AttentionPlace::encoder_self) {
  AttentionSite site;
  site.place = place;
  site.d_model = kWidth;
  site.heads = kHeads;
  auto attention = attentions().make(name, options, site);
  attention->to(at::kDouble);
  attention->eval();
  const at::NoGradGuard no_gradient;
  for (const auto& parameter : attention->named_parameters())
    parameter.value().add_(0.3 * at::randn_like(parameter.value()));  // biases and norms too
  return attention;
}

struct Seen {
  at::Tensor input;  // float64 [2,T,D]
  bool causal;
  at::Tensor keep;         // bool [2,K]
  at::Tensor source = {};  // float64 [2,K,D]; none: the input

  const at::Tensor& keys() const { return source.defined() ? source : input; }
  /// `queries` takes the place of the input.
  AttentionCall call(const at::Tensor& queries, Recorder* record = nullptr) const {
    return {.query_input = queries,
            .key_input = source.defined() ? source : queries,
            .key_keep = keep,
            .causal = causal,
            .record = record};
  }

  /// Returns the positions of the keys that query i of sequence b sees.
  std::vector<int64_t> places(int64_t b, int64_t i) const {
    std::vector<int64_t> all;
    for (int64_t j = 0; j < keys().size(1); ++j) {
      if ((!causal || j <= i) && keep[b][j].item<bool>()) all.push_back(j);
    }
    return all;
  }
};

/// Returns causal and other cases, with padding at the end, at the start and in between.
inline std::vector<Seen> situations() {
  const at::Tensor all = at::ones({2, kTokens}, at::kBool);
  const at::Tensor some = at::tensor({1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1}, at::kLong)
                              .view({2, kTokens})
                              .to(at::kBool);
  std::vector<Seen> found;
  for (const bool causal : {true, false}) {
    for (const at::Tensor& keep : {all, some})
      found.push_back({at::randn({2, kTokens, kWidth}, at::kDouble), causal, keep});
  }
  return found;
}

/// Returns cases in which queries see all of another sequence, and some of it.
inline std::vector<Seen> situations_across() {
  const at::Tensor some = at::tensor({1, 1, 1, 0, 0, 0, 0, 1, 0, 1}, at::kLong).view({2, 5});
  std::vector<Seen> found;
  for (const at::Tensor& keep : {at::ones({2, 5}, at::kBool), some.to(at::kBool)})
    found.push_back({at::randn({2, kTokens, kWidth}, at::kDouble), false, keep,
                     at::randn({2, 5, kWidth}, at::kDouble)});
  return found;
}

inline at::Tensor map_of(Attention& attention, const Seen& seen) {
  Recorder record{.keep_maps = true};
  attention.forward(seen.call(seen.input, &record));
  return record.maps.at(0);
}

/// Returns float64 [B,T,outputs], the input after a projection of the variant.
inline at::Tensor projected(Attention& attention, const std::string& name,
                            const at::Tensor& input) {
  const auto parameters = attention.named_parameters();
  return at::matmul(input, parameters[name + ".weight"].t()) + parameters[name + ".bias"];
}

inline at::Tensor head_of(const at::Tensor& all_BTD, int64_t head) {
  return all_BTD.narrow(2, head * kEach, kEach);
}

/// Returns the softmax of `scores_of(b, head, i, places)` over the positions that query i sees.
using ScoresOf =
    std::function<at::Tensor(int64_t b, int64_t head, int64_t i, const std::vector<int64_t>&)>;
inline at::Tensor map_by_hand(const Seen& seen, const ScoresOf& scores_of) {
  const at::NoGradGuard no_gradient;
  at::Tensor map = at::zeros({2, kHeads, kTokens, seen.keys().size(1)}, at::kDouble);
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t head = 0; head < kHeads; ++head) {
      for (int64_t i = 0; i < kTokens; ++i) {
        const std::vector<int64_t> places = seen.places(b, i);
        if (places.empty()) continue;
        const at::Tensor weights = scores_of(b, head, i, places).softmax(0);
        for (size_t n = 0; n < places.size(); ++n)
          map[b][head][i][places[n]] = weights[static_cast<int64_t>(n)];
      }
    }
  }
  return map;
}

inline at::Tensor rows_at(const at::Tensor& all_TE, const std::vector<int64_t>& places) {
  return all_TE.index_select(0, at::tensor(places, at::kLong));
}

}  // namespace rethink::by_hand
