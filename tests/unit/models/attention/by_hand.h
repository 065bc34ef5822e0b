// Attention by hand in float64, one query after another: what the tests of single variants share.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "kernels/error_rule.h"
#include "models/attention/attention.h"
#include "tests/support/error_ratio.h"

namespace rethink::by_hand {

constexpr int64_t kWidth = 8, kHeads = 2, kEach = kWidth / kHeads, kTokens = 7;
inline const double kScale = 1.0 / std::sqrt(static_cast<double>(kEach));

inline std::shared_ptr<Attention> make(const std::string& name, const Json& options) {
  AttentionSite site;
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
  at::Tensor keep;  // bool [2,T]

  /// Places of the keys that query i of sequence b sees.
  std::vector<int64_t> places(int64_t b, int64_t i) const {
    std::vector<int64_t> all;
    for (int64_t j = 0; j < input.size(1); ++j) {
      if ((!causal || j <= i) && keep[b][j].item<bool>()) all.push_back(j);
    }
    return all;
  }
};

/// Causal and not, with padding behind, in front and in between.
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

inline at::Tensor map_of(Attention& attention, const Seen& seen) {
  Recorder record{.keep_maps = true};
  attention.forward({.query_input = seen.input,
                     .key_input = seen.input,
                     .key_keep = seen.keep,
                     .causal = seen.causal,
                     .record = &record});
  return record.maps.at(0);
}

/// float64 [B,T,outputs] through a projection of the variant.
inline at::Tensor projected(Attention& attention, const std::string& name,
                            const at::Tensor& input) {
  const auto parameters = attention.named_parameters();
  return at::matmul(input, parameters[name + ".weight"].t()) + parameters[name + ".bias"];
}

inline at::Tensor head_of(const at::Tensor& all_BTD, int64_t head) {
  return all_BTD.narrow(2, head * kEach, kEach);
}

/// The softmax of what `scores_of(b, head, i, places)` gives for the places that query i sees.
using ScoresOf =
    std::function<at::Tensor(int64_t b, int64_t head, int64_t i, const std::vector<int64_t>&)>;
inline at::Tensor map_by_hand(const Seen& seen, const ScoresOf& scores_of) {
  const at::NoGradGuard no_gradient;
  at::Tensor map = at::zeros({2, kHeads, kTokens, kTokens}, at::kDouble);
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

/// Autograd's gradients of `input`, a leaf, and of every parameter against central differences, at
/// twenty or so elements of the larger ones.
inline void expect_gradients(Attention& attention, const at::Tensor& input,
                             const std::function<at::Tensor()>& objective) {
  attention.zero_grad();
  objective().backward();
  const auto expect_slopes = [&](const std::string& name, const at::Tensor& leaf) {
    const at::Tensor gradient = leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf);
    const at::Tensor elements = leaf.detach().view(-1);
    const double step = 1e-5;
    const int64_t every = std::max<int64_t>(1, leaf.numel() / 20);
    for (int64_t i = 0; i < leaf.numel(); i += every) {
      const double value = elements[i].item<double>();
      const auto at_value = [&](double moved) {
        elements[i].fill_(moved);
        return objective().item<double>();
      };
      const double slope = (at_value(value + step) - at_value(value - step)) / (2 * step);
      elements[i].fill_(value);
      EXPECT_NEAR(gradient.reshape(-1)[i].item<double>(), slope, 1e-7) << name << ", " << i;
    }
  };
  expect_slopes("input", input);
  for (const auto& parameter : attention.named_parameters())
    expect_slopes(parameter.key(), parameter.value());
}

inline void expect_gradients(Attention& attention, const Seen& seen) {
  const at::Tensor input = seen.input.clone().requires_grad_();
  expect_gradients(attention, input, [&] {
    const at::Tensor output = attention.forward(
        {.query_input = input, .key_input = input, .key_keep = seen.keep, .causal = seen.causal});
    return (output * fixed_upstream(output)).sum();
  });
}

/// Of a variant with these options: of a causal one, and of one whose sequences have padding.
inline void expect_gradients(const std::string& name, const Json& options) {
  auto attention = make(name, options);
  const std::vector<Seen> all = situations();
  expect_gradients(*attention, all.front());
  expect_gradients(*attention, all.back());
}

}  // namespace rethink::by_hand
