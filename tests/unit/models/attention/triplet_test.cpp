#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "models/attention/attention.h"
#include "models/permutations/permutation.h"
#include "tests/support/error_ratio.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

constexpr int64_t kTripletModelWidth = 24, kTripletModelHeads = 4;  // heads of 6 channels

std::shared_ptr<Attention> make_triplet_variant(const std::string& name, Json options,
                                                int64_t heads = kTripletModelHeads) {
  AttentionSite site;
  site.d_model = kTripletModelWidth;
  site.heads = heads;
  site.layer = 2;
  site.place = AttentionPlace::encoder_self;
  auto attention = attentions().make(name, options, site);
  attention->to(at::kDouble);
  attention->eval();
  return attention;
}

at::Tensor run_triplet(Attention& attention, const at::Tensor& input, at::Tensor keep = {},
                       Recorder* record = nullptr) {
  return attention.forward(
      {.query_input = input, .key_input = input, .key_keep = std::move(keep), .record = record});
}

/// Returns the positions of the kept tokens.
std::vector<int64_t> kept_places(const at::Tensor& keep, int64_t batch, int64_t tokens) {
  std::vector<int64_t> places;
  for (int64_t t = 0; t < tokens; ++t) {
    if (!keep.defined() || keep[batch][t].item<bool>()) places.push_back(t);
  }
  return places;
}

/// Returns q . (k1 x k2) as the determinant of their components: float64 [3] each.
at::Tensor triple_product(const at::Tensor& q, const at::Tensor& a, const at::Tensor& b) {
  return q[0] * (a[1] * b[2] - a[2] * b[1]) + q[1] * (a[2] * b[0] - a[0] * b[2]) +
         q[2] * (a[0] * b[1] - a[1] * b[0]);
}

struct Expected {
  std::vector<std::string> permutations;
  PermutationRule rule = {};
  int64_t triplet_heads = 2;
  bool permute_back = true, absolute = false, key2_is_key = false, padding_seen = false;
};

/// Returns float64 [V]: the values at `places`, weighted by the softmax of their scores.
at::Tensor softmax_weighted(const std::vector<at::Tensor>& scores, const at::Tensor& values_TV,
                            const std::vector<int64_t>& places) {
  const at::Tensor powers = at::stack(scores).exp();
  at::Tensor sum = at::zeros({values_TV.size(1)}, at::kDouble);
  for (size_t c = 0; c < places.size(); ++c)
    sum = sum + values_TV[places[c]] * (powers[static_cast<int64_t>(c)] / powers.sum());
  return sum;
}

/// Returns the slides' formula, one score after another; the usual heads are those of Vaswani et al.
/// Autograd gives its gradient.
at::Tensor triplet_by_hand(Attention& attention, const at::Tensor& input, const at::Tensor& keep,
                           const Expected& expected) {
  const auto parameters = attention.named_parameters();
  const auto project = [&](const std::string& name) {
    return at::linear(input, parameters[name + ".weight"], parameters[name + ".bias"]);
  };
  const int64_t batch = input.size(0), tokens = input.size(1),
                each = kTripletModelWidth / kTripletModelHeads;
  const int64_t channels = expected.triplet_heads * each, first = kTripletModelWidth - channels;
  const at::Tensor query = project("query"), key = project("key"), value = project("value");
  const at::Tensor key2 = expected.key2_is_key ? key.narrow(2, first, channels) : project("key2");
  const double scale = 1.0 / std::sqrt(static_cast<double>(each));
  const int64_t heads = channels / 3;
  const auto runs = static_cast<int64_t>(expected.permutations.size());
  std::vector<at::Tensor> rows;
  for (int64_t b = 0; b < batch; ++b) {
    const std::vector<int64_t> kept = kept_places(keep, b, tokens),
                               places = expected.padding_seen ? kept_places({}, b, tokens) : kept;
    const auto count = static_cast<int64_t>(places.size());
    for (int64_t i = 0; i < tokens; ++i) {
      std::vector<at::Tensor> of_heads;
      for (int64_t from = 0; from < first; from += each) {
        std::vector<at::Tensor> scores;
        for (const int64_t c : kept)
          scores.push_back(
              scale * at::dot(query[b][i].narrow(0, from, each), key[b][c].narrow(0, from, each)));
        of_heads.push_back(softmax_weighted(scores, value[b].narrow(1, from, each), kept));
      }
      for (int64_t head = 0; head < heads; ++head) {
        const int64_t from = first + 3 * head;
        const auto run = static_cast<size_t>(std::min(head / (heads / runs), runs - 1));
        const std::vector<int64_t> p =
            permutation(expected.permutations[run], count, expected.rule);
        std::vector<at::Tensor> scores(places.size());
        for (size_t j = 0; j < places.size(); ++j) {
          const auto c = static_cast<size_t>(p[j]);  // whose second key the first key of j meets
          const at::Tensor score =
              scale * triple_product(query[b][i].narrow(0, from, 3),
                                     key[b][places[j]].narrow(0, from, 3),
                                     key2[b][places[c]].narrow(0, 3 * head, 3));
          scores[expected.permute_back ? c : j] = expected.absolute ? score.abs() : score;
        }
        of_heads.push_back(softmax_weighted(scores, value[b].narrow(1, from, 3), places));
      }
      rows.push_back(at::cat(of_heads));
    }
  }
  return at::linear(at::stack(rows).view({batch, tokens, kTripletModelWidth}),
                    parameters["output.weight"], parameters["output.bias"]);
}

/// Returns the gradients of `input` and of every parameter for a fixed gradient of `output`, one after the other.
at::Tensor gradients(const at::Tensor& output, Attention& attention, const at::Tensor& input) {
  attention.zero_grad();
  input.mutable_grad().reset();
  (output * fixed_upstream(output)).sum().backward();
  std::vector<at::Tensor> all = {input.grad().reshape(-1)};
  for (const at::Tensor& parameter : attention.parameters())
    all.push_back(parameter.grad().reshape(-1).clone());
  return at::cat(all);
}

/// Compares forward and backward, within float64's rounding.
void expect_formula_of(const Json& options, const Expected& expected, int64_t tokens,
                       const at::Tensor& keep = {}) {
  auto attention = make_triplet_variant("triplet", options);
  const at::Tensor input = at::randn({2, tokens, kTripletModelWidth}, at::kDouble).requires_grad_();
  const at::Tensor ours = run_triplet(*attention, input, keep),
                   theirs = triplet_by_hand(*attention, input, keep, expected);
  EXPECT_LT(worst_difference(ours, theirs), 1e-12) << options << ", " << tokens << " tokens";
  EXPECT_LT(
      worst_difference(gradients(ours, *attention, input), gradients(theirs, *attention, input)),
      1e-11)
      << options << ", " << tokens << " tokens";
}

class Triplet : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(11); }

  static void expect_formula(const Json& options, const Expected& expected) {
    for (const int64_t tokens : {1, 2, 5, 8}) expect_formula_of(options, expected, tokens);
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

/// Returns padding within two sequences of seven tokens.
at::Tensor keep_with_gaps() {
  return at::tensor({1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1}, at::kLong)
      .view({2, 7})
      .to(at::kBool);
}

void expect_formula_with_padding(const Json& options, Expected expected) {
  expected.rule.layer = 2;
  expect_formula_of(options, expected, 7, keep_with_gaps());
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

/// In the released code the other heads do not see padding.
TEST_F(Triplet, LetsTripletHeadsSeePaddingOnRequest) {
  for (const int64_t heads : {int64_t{2}, kTripletModelHeads}) {
    expect_formula_with_padding(
        {{"triplet_heads", heads}, {"permutations", {"random", "next"}}, {"padding", "seen"}},
        {.permutations = {"random", "next"}, .triplet_heads = heads, .padding_seen = true});
  }
  auto attention =
      make_triplet_variant("triplet", {{"triplet_heads", kTripletModelHeads}, {"padding", "seen"}});
  const at::Tensor input = at::randn({2, 7, kTripletModelWidth}, at::kDouble);
  EXPECT_TRUE(
      at::equal(run_triplet(*attention, input, keep_with_gaps()), run_triplet(*attention, input)));
}

TEST_F(Triplet, ItsGradientsAreThoseOfDifferences) {
  for (const bool absolute : {false, true}) {
    for (const bool padded : {false, true}) {
      auto attention = make_triplet_variant(
          "triplet",
          {{"triplet_heads", 2}, {"permutations", {"random", "swap"}}, {"absolute", absolute}});
      const at::Tensor keep = padded ? at::arange(5).lt(4).expand({1, 5}) : at::Tensor();
      expect_gradients_match_differences(
          [&](const Tensors& inputs) { return run_triplet(*attention, inputs[0], keep); },
          {at::randn({1, 5, kTripletModelWidth}, at::kDouble)});
    }
  }
}

TEST_F(Triplet, ARandomPermutationDiffersWithTheLayer) {
  AttentionSite site{.d_model = kTripletModelWidth,
                     .heads = kTripletModelHeads,
                     .place = AttentionPlace::encoder_self};
  std::vector<at::Tensor> results;
  const at::Tensor input = at::randn({1, 8, kTripletModelWidth}, at::kDouble);
  for (const int64_t layer : {1, 2}) {
    at::manual_seed(1);
    site.layer = layer;
    auto attention = attentions().make("triplet", Json::object(), site);
    attention->to(at::kDouble);
    results.push_back(run_triplet(*attention, input));
  }
  EXPECT_GT(worst_difference(results[0], results[1]), 1e-6);
}

TEST_F(Triplet, LeavesTheOtherHeadsAsTheyWere) {
  auto triplet = make_triplet_variant("triplet", {{"triplet_heads", 1}}),
       dense = make_triplet_variant("dense", Json::object());
  const at::NoGradGuard no_gradient;
  auto theirs = dense->named_parameters();
  for (const auto& item : triplet->named_parameters()) {
    if (theirs.contains(item.key())) theirs[item.key()].copy_(item.value());
  }
  for (auto& attention : {triplet, dense}) {
    auto parameters = attention->named_parameters();
    parameters["output.weight"].copy_(at::eye(kTripletModelWidth, at::kDouble));
    parameters["output.bias"].zero_();
  }
  const at::Tensor input = at::randn({2, 6, kTripletModelWidth}, at::kDouble);
  const at::Tensor ours = run_triplet(*triplet, input), plain = run_triplet(*dense, input);
  EXPECT_LT(worst_difference(ours.narrow(2, 0, 18), plain.narrow(2, 0, 18)), 1e-14);
  EXPECT_GT(worst_difference(ours.narrow(2, 18, 6), plain.narrow(2, 18, 6)), 1e-6);
}

TEST_F(Triplet, RefusesHeadsThatMakeNoTriplets) {
  EXPECT_THAT(
      [] {
        make_triplet_variant("triplet", {{"triplet_heads", 5}});
      },
      ThrowsCode("conflicting-values"));
  EXPECT_THAT(
      [] {
        make_triplet_variant("triplet", {{"triplet_heads", 1}}, 6);
      },
      ThrowsCode("conflicting-values"));
  EXPECT_THAT(
      [] {
        make_triplet_variant("triplet",
                             {{"triplet_heads", 1}, {"permutations", {"next", "swap", "reverse"}}});
      },
      ThrowsCode("conflicting-values"));
}

}  // namespace
}  // namespace rethink
