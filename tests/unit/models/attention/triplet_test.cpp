#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/attention/attention.h"
#include "models/permutations/permutation.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kWidth = 24, kHeads = 4;  // heads of 6 channels

std::shared_ptr<Attention> make(const std::string& name, Json options, int64_t heads = kHeads) {
  AttentionSite site;
  site.d_model = kWidth;
  site.heads = heads;
  site.layer = 2;
  site.place = AttentionPlace::encoder_self;
  auto attention = attentions().make(name, options, site);
  attention->to(at::kDouble);
  attention->eval();
  return attention;
}

at::Tensor run(Attention& attention, const at::Tensor& input, at::Tensor keep = {},
               Recorder* record = nullptr) {
  return attention.forward(
      {.query_input = input, .key_input = input, .key_keep = std::move(keep), .record = record});
}

/// The places of the tokens that are kept.
std::vector<int64_t> kept_places(const at::Tensor& keep, int64_t batch, int64_t tokens) {
  std::vector<int64_t> places;
  for (int64_t t = 0; t < tokens; ++t) {
    if (!keep.defined() || keep[batch][t].item<bool>()) places.push_back(t);
  }
  return places;
}

/// q . (k1 x k2) as the determinant of their components.
double triple_product(const double* q, const double* a, const double* b) {
  return q[0] * (a[1] * b[2] - a[2] * b[1]) + q[1] * (a[2] * b[0] - a[0] * b[2]) +
         q[2] * (a[0] * b[1] - a[1] * b[0]);
}

struct Expected {
  std::vector<std::string> permutations;
  PermutationRule rule = {};
  int64_t triplet_heads = 2;
  bool permute_back = true, absolute = false, key2_is_key = false, padding_seen = false;
};

/// The slides' formula, one score after another; the usual heads as Vaswani et al. have them.
at::Tensor by_hand(Attention& attention, const at::Tensor& input, const at::Tensor& keep,
                   const Expected& expected) {
  const at::NoGradGuard no_gradient;
  const auto parameters = attention.named_parameters();
  const auto project = [&](const std::string& name) {
    return at::linear(input, parameters[name + ".weight"], parameters[name + ".bias"]).contiguous();
  };
  const int64_t batch = input.size(0), tokens = input.size(1), each = kWidth / kHeads;
  const int64_t channels = expected.triplet_heads * each, first = kWidth - channels;
  const at::Tensor query = project("query"), key = project("key"), value = project("value");
  const at::Tensor key2 =
      expected.key2_is_key ? key.narrow(2, first, channels).contiguous() : project("key2");
  const double scale = 1.0 / std::sqrt(static_cast<double>(each));
  at::Tensor joined = at::zeros({batch, tokens, kWidth}, at::kDouble);
  const auto weigh = [&](int64_t b, int64_t i, int64_t from, int64_t count,
                         const std::vector<int64_t>& places, const std::vector<double>& scores) {
    double sum = 0;
    for (const double score : scores) sum += std::exp(score);
    for (size_t c = 0; c < scores.size(); ++c) {
      joined[b][i].narrow(0, from, count) +=
          value[b][places[c]].narrow(0, from, count) * (std::exp(scores[c]) / sum);
    }
  };
  const int64_t heads = channels / 3;
  const auto runs = static_cast<int64_t>(expected.permutations.size());
  for (int64_t b = 0; b < batch; ++b) {
    const std::vector<int64_t> kept = kept_places(keep, b, tokens),
                               places = expected.padding_seen ? kept_places({}, b, tokens) : kept;
    const auto count = static_cast<int64_t>(places.size());
    for (int64_t i = 0; i < tokens; ++i) {
      for (int64_t from = 0; from < first; from += each) {
        std::vector<double> scores;
        for (const int64_t c : kept) {
          scores.push_back(
              scale * at::dot(query[b][i].narrow(0, from, each), key[b][c].narrow(0, from, each))
                          .item<double>());
        }
        weigh(b, i, from, each, kept, scores);
      }
      for (int64_t head = 0; head < heads; ++head) {
        const auto run = static_cast<size_t>(std::min(head / (heads / runs), runs - 1));
        const std::vector<int64_t> p =
            permutation(expected.permutations[run], count, expected.rule);
        std::vector<double> scores(places.size());
        for (size_t j = 0; j < places.size(); ++j) {
          const auto c = static_cast<size_t>(p[j]);  // whose second key the first key of j meets
          const double score =
              scale * triple_product(query[b][i].data_ptr<double>() + first + 3 * head,
                                     key[b][places[j]].data_ptr<double>() + first + 3 * head,
                                     key2[b][places[c]].data_ptr<double>() + 3 * head);
          scores[expected.permute_back ? c : j] = expected.absolute ? std::abs(score) : score;
        }
        weigh(b, i, first + 3 * head, 3, places, scores);
      }
    }
  }
  return at::linear(joined, parameters["output.weight"], parameters["output.bias"]);
}

class Triplet : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(11); }

  static void expect_formula(const Json& options, const Expected& expected) {
    auto attention = make("triplet", options);
    for (const int64_t tokens : {1, 2, 5, 8}) {
      const at::Tensor input = at::randn({2, tokens, kWidth}, at::kDouble);
      EXPECT_LT(worst_difference(run(*attention, input), by_hand(*attention, input, {}, expected)),
                1e-12)
          << options << ", " << tokens << " tokens";
    }
  }
};

TEST_F(Triplet, IsTheSlidesFormulaUnderEveryPermutation) {
  for (const std::string& name : permutation_names()) {
    expect_formula({{"triplet_heads", 2}, {"permutations", {name}}},
                   {.permutations = {name}, .rule = {.layer = 2}});
  }
  expect_formula({{"triplet_heads", 2}, {"permutations", {"next"}}, {"direction", "backward"}},
                 {.permutations = {"next"}, .rule = {.backward = true, .layer = 2}});
  expect_formula({{"triplet_heads", 2}, {"permutations", {"random"}}, {"permutation_seed", 9}},
                 {.permutations = {"random"}, .rule = {.seed = 9, .layer = 2}});
}

TEST_F(Triplet, TakesItsOptions) {
  const Json next = {{"triplet_heads", 4}, {"permutations", {"next"}}};
  expect_formula(next, {.permutations = {"next"}, .triplet_heads = 4});
  Json options = next;
  options["permute_back"] = false;
  expect_formula(options, {.permutations = {"next"}, .triplet_heads = 4, .permute_back = false});
  options = next;
  options["absolute"] = true;
  expect_formula(options, {.permutations = {"next"}, .triplet_heads = 4, .absolute = true});
  options = next;
  options["key2"] = "key";
  expect_formula(options, {.permutations = {"next"}, .triplet_heads = 4, .key2_is_key = true});
}

TEST_F(Triplet, CutsItsHeadsIntoARunForEachPermutation) {
  // 6 triplet heads of 3 heads of 6 channels: runs of 1 with 4 permutations, and the last takes 3.
  expect_formula({{"triplet_heads", 3}, {"permutations", {"next", "reverse", "swap", "next_two"}}},
                 {.permutations = {"next", "reverse", "swap", "next_two"}, .triplet_heads = 3});
}

/// Two sequences of seven tokens with padding in between.
at::Tensor some_kept() {
  return at::tensor({1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1}, at::kLong)
      .view({2, 7})
      .to(at::kBool);
}

void expect_formula_with_padding(const Json& options, Expected expected) {
  expected.rule.layer = 2;
  auto attention = make("triplet", options);
  const at::Tensor input = at::randn({2, 7, kWidth}, at::kDouble), keep = some_kept();
  EXPECT_LT(
      worst_difference(run(*attention, input, keep), by_hand(*attention, input, keep, expected)),
      1e-12)
      << options;
}

TEST_F(Triplet, PermutesTheTokensThatAreKeptAmongThemselves) {
  for (const std::string& name : permutation_names()) {
    expect_formula_with_padding({{"triplet_heads", 2}, {"permutations", {name}}},
                                {.permutations = {name}});
  }
  expect_formula_with_padding({{"triplet_heads", 3}, {"permutations", {"swap", "random", "next"}}},
                              {.permutations = {"swap", "random", "next"}, .triplet_heads = 3});
  expect_formula_with_padding(
      {{"triplet_heads", 2}, {"permutations", {"next_two"}}, {"absolute", true}},
      {.permutations = {"next_two"}, .absolute = true});
}

/// As released: the other heads do not see it.
TEST_F(Triplet, LetsPaddingTakePartInTripletHeadsWhereItIsToldTo) {
  for (const int64_t heads : {int64_t{2}, kHeads}) {
    expect_formula_with_padding(
        {{"triplet_heads", heads}, {"permutations", {"random", "next"}}, {"padding", "seen"}},
        {.permutations = {"random", "next"}, .triplet_heads = heads, .padding_seen = true});
  }
  auto attention = make("triplet", {{"triplet_heads", kHeads}, {"padding", "seen"}});
  const at::Tensor input = at::randn({2, 7, kWidth}, at::kDouble);
  EXPECT_TRUE(at::equal(run(*attention, input, some_kept()), run(*attention, input)));
}

TEST_F(Triplet, ItsGradientsAreThoseOfDifferences) {
  for (const bool absolute : {false, true}) {
    for (const bool padded : {false, true}) {
      auto attention = make(
          "triplet",
          {{"triplet_heads", 2}, {"permutations", {"random", "swap"}}, {"absolute", absolute}});
      const at::Tensor keep = padded ? at::arange(5).lt(4).expand({1, 5}) : at::Tensor();
      expect_gradients_match_differences(
          [&](const Tensors& inputs) { return run(*attention, inputs[0], keep); },
          {at::randn({1, 5, kWidth}, at::kDouble)});
    }
  }
}

TEST_F(Triplet, ARandomPermutationDiffersWithTheLayer) {
  AttentionSite site{.d_model = kWidth, .heads = kHeads, .place = AttentionPlace::encoder_self};
  std::vector<at::Tensor> results;
  const at::Tensor input = at::randn({1, 8, kWidth}, at::kDouble);
  for (const int64_t layer : {1, 2}) {
    at::manual_seed(1);
    site.layer = layer;
    auto attention = attentions().make("triplet", Json::object(), site);
    attention->to(at::kDouble);
    results.push_back(run(*attention, input));
  }
  EXPECT_GT(worst_difference(results[0], results[1]), 1e-6);
}

TEST_F(Triplet, LeavesTheOtherHeadsAsTheyWere) {
  auto triplet = make("triplet", {{"triplet_heads", 1}}), dense = make("dense", Json::object());
  const at::NoGradGuard no_gradient;
  auto theirs = dense->named_parameters();
  for (const auto& item : triplet->named_parameters()) {
    if (theirs.contains(item.key())) theirs[item.key()].copy_(item.value());
  }
  for (auto& attention : {triplet, dense}) {
    auto parameters = attention->named_parameters();
    parameters["output.weight"].copy_(at::eye(kWidth, at::kDouble));
    parameters["output.bias"].zero_();
  }
  const at::Tensor input = at::randn({2, 6, kWidth}, at::kDouble);
  const at::Tensor ours = run(*triplet, input), plain = run(*dense, input);
  EXPECT_LT(worst_difference(ours.narrow(2, 0, 18), plain.narrow(2, 0, 18)), 1e-14);
  EXPECT_GT(worst_difference(ours.narrow(2, 18, 6), plain.narrow(2, 18, 6)), 1e-6);
}

TEST_F(Triplet, RefusesHeadsThatMakeNoTriplets) {
  EXPECT_THAT(
      [] {
        make("triplet", {{"triplet_heads", 5}});
      },
      ThrowsMessage<ConfigError>(HasSubstr("expected at most heads, 4")));
  EXPECT_THAT(
      [] {
        make("triplet", {{"triplet_heads", 1}}, 6);
      },
      ThrowsMessage<ConfigError>(HasSubstr("1 heads of 4 channels make no heads of three")));
  EXPECT_THAT(
      [] {
        make("triplet", {{"triplet_heads", 1}, {"permutations", {"next", "swap", "reverse"}}});
      },
      ThrowsMessage<ConfigError>(HasSubstr("got 3 permutations for 2 triplet heads")));
}

}  // namespace
}  // namespace rethink
