// Variants related to `triplet`: all triples (triplet_cubic) and random features (triplet_favor).
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "models/attention/attention.h"
#include "models/attention/random_features.h"
#include "models/permutations/permutation.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

constexpr int64_t kKinWidth = 12, kKinHeads = 2, kKinTokens = 7, kLayer = 3;

std::shared_ptr<Attention> make_kin_variant(const std::string& name, const Json& options) {
  AttentionSite site{.d_model = kKinWidth, .heads = kKinHeads, .layer = kLayer};
  site.place = AttentionPlace::encoder_self;
  auto attention = attentions().make(name, options, site);
  attention->to(at::kDouble);
  attention->eval();
  return attention;
}

at::Tensor run_kin(Attention& attention, const at::Tensor& input, at::Tensor keep = {}) {
  return attention.forward({.query_input = input, .key_input = input, .key_keep = std::move(keep)});
}

at::Tensor random_input() {
  return at::randn({2, kKinTokens, kKinWidth}, at::kDouble);
}

/// Both sequences keep five of their seven tokens, the second not in a run.
at::Tensor keep_five_of_seven() {
  return at::tensor({1, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1}, at::kLong)
      .view({2, kKinTokens})
      .to(at::kBool);
}

/// Returns float64 [B,G,T,3] of the projection, where all heads are triplet heads.
at::Tensor projected_heads(Attention& attention, const std::string& name, const at::Tensor& input) {
  const auto parameters = attention.named_parameters();
  return at::linear(input, parameters[name + ".weight"], parameters[name + ".bias"])
      .unflatten(2, {-1, 3})
      .transpose(1, 2);
}

/// Returns the output projection of softmax(scores) V over the kept tokens.
at::Tensor attended_output(Attention& attention, const at::Tensor& input, const at::Tensor& scores,
                           const at::Tensor& keep) {
  const at::Tensor hidden = keep.logical_not().view({2, 1, 1, kKinTokens});
  const at::Tensor weights =
      scores.masked_fill(hidden, -std::numeric_limits<double>::infinity()).softmax(-1);
  const at::Tensor joined =
      at::matmul(weights, projected_heads(attention, "value", input)).transpose(1, 2).flatten(2);
  const auto parameters = attention.named_parameters();
  return at::linear(joined, parameters["output.weight"], parameters["output.bias"]);
}

double triple_product_value(const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
  return at::dot(a, at::linalg_cross(b, c, -1)).item<double>();
}

class TripletKin : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(21); }
  const double scale_ = 1.0 / std::sqrt(static_cast<double>(kKinWidth / kKinHeads));
};

TEST_F(TripletKin, CubicReducesTheScoresOfAllTriples) {
  const at::Tensor input = random_input(), keep = keep_five_of_seven();
  for (const std::string reduce : {"sum", "max", "collapsed"}) {
    auto attention =
        make_kin_variant("triplet_cubic", {{"triplet_heads", kKinHeads}, {"reduce", reduce}});
    const at::Tensor query = projected_heads(*attention, "query", input),
                     key = projected_heads(*attention, "key", input),
                     key2 = projected_heads(*attention, "key2", input);
    at::Tensor scores = at::empty({2, 4, kKinTokens, kKinTokens}, at::kDouble);
    for (int64_t b = 0; b < 2; ++b) {
      for (int64_t g = 0; g < 4; ++g) {
        for (int64_t i = 0; i < kKinTokens; ++i) {
          for (int64_t j = 0; j < kKinTokens; ++j) {
            double sum = 0, most = -std::numeric_limits<double>::infinity();
            for (int64_t k = 0; k < kKinTokens; ++k) {
              if (!keep[b][k].item<bool>()) continue;
              const double score =
                  triple_product_value(query[b][g][i], key[b][g][j], key2[b][g][k]);
              sum += score;
              most = std::max(most, score);
            }
            scores[b][g][i][j] = scale_ * (reduce == "max" ? most : sum);
          }
        }
      }
    }
    const at::Tensor difference =
        run_kin(*attention, input, keep) - attended_output(*attention, input, scores, keep);
    EXPECT_LT(difference.abs().max().item<double>(), 1e-12) << reduce;
  }
}

TEST_F(TripletKin, CubicHasTheGradientsOfDifferences) {
  for (const char* reduce : {"sum", "max", "collapsed"}) {
    auto attention =
        make_kin_variant("triplet_cubic", {{"triplet_heads", kKinHeads}, {"reduce", reduce}});
    for (const at::Tensor& keep : {at::Tensor(), at::arange(4).ne(1).expand({1, 4})}) {
      expect_gradients_match_differences(
          [&](const Tensors& inputs) { return run_kin(*attention, inputs[0], keep); },
          {at::randn({1, 4, kKinWidth}, at::kDouble)});
    }
  }
}

struct ExpectedFavor {
  std::vector<std::string> permutations;
  bool permute_back = true, key2_is_key = false;
};

/// Returns the slides' equation for FAVOR: rows are second keys, columns queries with first keys.
at::Tensor exact_favor(Attention& attention, const at::Tensor& input, const at::Tensor& keep,
                       const ExpectedFavor& expected, double scale) {
  const at::Tensor query = projected_heads(attention, "query", input),
                   key = projected_heads(attention, "key", input),
                   key2 = expected.key2_is_key ? key : projected_heads(attention, "key2", input);
  const auto runs = static_cast<int64_t>(expected.permutations.size());
  at::Tensor scores = at::zeros({2, 4, kKinTokens, kKinTokens}, at::kDouble);
  for (int64_t b = 0; b < 2; ++b) {
    std::vector<int64_t> places;
    for (int64_t t = 0; t < kKinTokens; ++t) {
      if (keep[b][t].item<bool>()) places.push_back(t);
    }
    for (int64_t g = 0; g < 4; ++g) {
      const auto run = static_cast<size_t>(std::min(g / (4 / runs), runs - 1));
      const std::vector<int64_t> from = permutation(
          expected.permutations[run], static_cast<int64_t>(places.size()), {.layer = kLayer});
      for (size_t i = 0; i < places.size(); ++i) {
        for (size_t j = 0; j < places.size(); ++j) {
          const int64_t row = places[static_cast<size_t>(from[i])], of = places[j],
                        column = expected.permute_back ? places[static_cast<size_t>(from[j])] : of;
          scores[b][g][places[i]][column] =
              scale * triple_product_value(key2[b][g][row], query[b][g][of], key[b][g][of]);
        }
      }
    }
  }
  return attended_output(attention, input, scores, keep);
}

/// Returns the error for the kept tokens, over several draws of `count` features.
double favor_error(Json options, const ExpectedFavor& expected, int64_t count, double scale) {
  const at::Tensor keep = keep_five_of_seven(), kept = keep.unsqueeze(2).to(at::kDouble);
  options["triplet_heads"] = kKinHeads;
  options["permutations"] = expected.permutations;
  options["feature_count"] = count;
  double sum = 0;
  for (const int64_t seed : {0, 1, 2, 3}) {
    at::manual_seed(4);
    options["feature_seed"] = seed;
    auto attention = make_kin_variant("triplet_favor", options);
    const at::Tensor input = 0.7 * random_input();
    const at::Tensor exact = exact_favor(*attention, input, keep, expected, scale);
    sum += ((run_kin(*attention, input, keep) - exact) * kept).norm().item<double>();
  }
  return sum;
}

TEST_F(TripletKin, FavorComesNearerToItsKernelWithMoreFeatures) {
  // `reverse` is its own inverse, the others are not.
  for (const auto& [features, permutation] :
       {std::pair<std::string, std::string>("cosine", "reverse"), {"positive", "next"}}) {
    std::vector<double> errors;
    for (const int64_t count : {16, 256, 4096, 65536}) {
      errors.push_back(
          favor_error({{"features", features}}, {.permutations = {permutation}}, count, scale_));
    }
    for (size_t i = 1; i < errors.size(); ++i)
      EXPECT_LT(errors[i], 0.6 * errors[i - 1]) << features;
    EXPECT_LT(errors.back(), 0.05 * errors.front()) << features;
  }
}

TEST_F(TripletKin, FavorTakesTheOptionsOfTriplet) {
  const auto nears = [&](const Json& options, const ExpectedFavor& expected) {
    EXPECT_LT(favor_error(options, expected, 65536, scale_),
              0.05 * favor_error(options, expected, 16, scale_))
        << options;
  };
  // 4 triplet heads: 1, 1, and the last takes 2.
  nears(Json::object(), {.permutations = {"next", "reverse", "next_two"}});
  nears({{"permute_back", false}}, {.permutations = {"next"}, .permute_back = false});
  nears({{"key2", "key"}}, {.permutations = {"next"}, .key2_is_key = true});
}

TEST_F(TripletKin, FavorSeesPaddingOnRequest) {
  auto attention =
      make_kin_variant("triplet_favor", {{"triplet_heads", kKinHeads}, {"padding", "seen"}});
  const at::Tensor input = random_input();
  EXPECT_TRUE(
      at::equal(run_kin(*attention, input, keep_five_of_seven()), run_kin(*attention, input)));
}

TEST_F(TripletKin, FavorHasTheGradientsOfDifferences) {
  for (const char* features : {"cosine", "positive"}) {
    auto attention = make_kin_variant("triplet_favor", {{"triplet_heads", kKinHeads},
                                                        {"features", features},
                                                        {"permutations", {"random", "next"}}});
    for (const at::Tensor& keep : {at::Tensor(), at::arange(5).ne(2).expand({1, 5})}) {
      expect_gradients_match_differences(
          [&](const Tensors& inputs) { return run_kin(*attention, inputs[0], keep); },
          {at::randn({1, 5, kKinWidth}, at::kDouble)});
    }
  }
}

/// Returns float64 [B,G,T,T].
at::Tensor recorded_weights(Attention& attention, const at::Tensor& input) {
  Recorder record{.keep_maps = true};
  attention.forward({.query_input = input, .key_input = input, .record = &record});
  return record.maps.at(0);
}

TEST_F(TripletKin, FavorsGuardBoundsWeightsWhereCosinesSumToNothing) {
  for (const double guard : {0.1, 0.5}) {
    auto attention = make_kin_variant(
        "triplet_favor", {{"triplet_heads", kKinHeads}, {"feature_count", 1}, {"guard", guard}});
    const at::Tensor sizes = recorded_weights(*attention, 30.0 * random_input()).abs().sum(-1);
    EXPECT_LE(sizes.max().item<double>(), 2 / guard + 1e-9);
    EXPECT_GT(sizes.max().item<double>(), 1.0);
  }
}

TEST_F(TripletKin, FavorsPositiveFeaturesGiveWeightsThatSumToOne) {
  auto attention =
      make_kin_variant("triplet_favor", {{"triplet_heads", kKinHeads}, {"features", "positive"}});
  const at::Tensor weights = recorded_weights(*attention, 5.0 * random_input());
  EXPECT_GE(weights.min().item<double>(), 0.0);
  EXPECT_LT(
      worst_difference(weights.sum(-1), at::ones({2, weights.size(1), kKinTokens}, at::kDouble)),
      1e-9);
}

/// There are 6 dense and 6 triplet channels, which are two heads of three.
TEST_F(TripletKin, CountTheFloatingPointOperationsOfTheirProducts) {
  const auto flops = [](const std::string& name, Json options, int64_t tokens) {
    options["triplet_heads"] = 1;
    return make_kin_variant(name, options)->pair_flops(tokens, kKinWidth);
  };
  const auto dense = [](int64_t tokens, int64_t channels) { return 4.0 * tokens * channels; };
  EXPECT_EQ(flops("triplet", Json::object(), 10), dense(10, 12));
  EXPECT_EQ(flops("triplet_cubic", {{"reduce", "collapsed"}}, 10), dense(10, 12));
  const double triples = 2 * 3 * 10 * 10, values = 2 * 3 * 10;
  EXPECT_EQ(flops("triplet_cubic", {{"reduce", "max"}}, 10), dense(10, 6) + 2 * (triples + values));
  for (const int64_t tokens : {10, 20})
    EXPECT_EQ(flops("triplet_favor", {{"feature_count", 5}}, tokens), dense(tokens, 6) + 2 * 5 * 28)
        << "linear in the length, but for the dense head";
}

TEST(RandomFeatures, AreOrthogonalWithinBlocksAndUnbiased) {
  const at::Tensor origin = at::zeros({3}, at::kDouble);
  const at::Tensor x = at::tensor({0.3, -0.2, 0.5}, at::kDouble),
                   y = at::tensor({-0.1, 0.4, 0.2}, at::kDouble);
  double cosines = 0, exponentials = 0;
  constexpr int kDraws = 3000;
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    const RandomFeatures features(6, 3, {seed, 0});
    cosines += at::dot(features.cosine(x), features.cosine(y)).item<double>();
    exponentials +=
        at::dot(features.positive_exponents(x).exp(), features.positive_exponents(y).exp())
            .item<double>();
  }
  EXPECT_NEAR(cosines / kDraws, std::exp(-(x - y).square().sum().item<double>() / 2), 0.02);
  EXPECT_NEAR(exponentials / kDraws, std::exp(at::dot(x, y).item<double>()), 0.02);
  // w.x is the difference of exponents, except for the term that depends only on x.
  const RandomFeatures features(6, 3, {5, 0});
  const at::Tensor basis = at::eye(3, at::kDouble);
  const at::Tensor directions = features.positive_exponents(basis) + 0.5 -
                                features.positive_exponents(origin).unsqueeze(0);  // [3,6]
  for (const int64_t block : {0, 3}) {
    const at::Tensor of_block = directions.narrow(1, block, 3);
    const at::Tensor products = at::matmul(of_block.t(), of_block);
    EXPECT_LT(worst_difference(products, products.diagonal().diag()), 1e-12);
  }
}

}  // namespace
}  // namespace rethink
