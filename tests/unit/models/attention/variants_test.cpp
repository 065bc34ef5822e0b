#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "models/attention/attention.h"
#include "tests/support/error_ratio.h"
#include "tests/unit/models/attention/by_differences.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kVariantWidth = 8;

std::shared_ptr<Attention> make_variant(const std::string& name, const Json& options,
                                        int64_t heads = 2,
                                        AttentionPlace place = AttentionPlace::decoder_self) {
  AttentionSite site;
  site.d_model = kVariantWidth;
  site.heads = heads;
  site.place = place;
  auto attention = attentions().make(name, options, site);
  attention->to(at::kDouble);
  attention->eval();
  return attention;
}

at::Tensor run_variant(Attention& attention, const at::Tensor& input, bool causal = true,
                       at::Tensor keep = {}, Recorder* record = nullptr) {
  return attention.forward({.query_input = input,
                            .key_input = input,
                            .key_keep = std::move(keep),
                            .causal = causal,
                            .record = record});
}

at::Tensor variant_map(Attention& attention, const at::Tensor& input, bool causal = true,
                       at::Tensor keep = {}) {
  Recorder record{.keep_maps = true};
  run_variant(attention, input, causal, std::move(keep), &record);
  return record.maps.at(0);
}

void copy_weights(Attention& from, Attention& to) {
  at::NoGradGuard no_grad;
  auto parameters = to.named_parameters();
  for (const auto& item : from.named_parameters()) {
    if (parameters.contains(item.key())) parameters[item.key()].copy_(item.value());
  }
}

class AttentionVariants : public testing::Test {
 protected:
  void SetUp() override {
    at::manual_seed(5);
    input_ = at::randn({2, 6, kVariantWidth}, at::kDouble);
  }
  at::Tensor input_;
};

TEST_F(AttentionVariants, DiagScaleOfOneIsDense) {
  auto dense = make_variant("dense", Json::object()),
       scaled = make_variant("diag_scale", {{"rate", 1.0}});
  copy_weights(*dense, *scaled);
  EXPECT_TRUE(at::equal(run_variant(*scaled, input_), run_variant(*dense, input_)));
}

TEST_F(AttentionVariants, DiagScaleMultipliesTheScoreBeforeTheSoftmax) {
  auto dense = make_variant("dense", Json::object(), 1),
       scaled = make_variant("diag_scale", {{"rate", 0.2}}, 1);
  copy_weights(*dense, *scaled);
  const at::Tensor before = variant_map(*dense, input_)[0][0],
                   after = variant_map(*scaled, input_)[0][0];
  // Ratios among earlier tokens do not change, and log(own / first) moves by (rate - 1) * own score.
  EXPECT_NEAR((after[4][1] / after[4][0]).item<double>(),
              (before[4][1] / before[4][0]).item<double>(), 1e-12);
  const auto p = dense->named_parameters();
  const at::Tensor query = at::linear(input_, p["query.weight"], p["query.bias"]);
  const at::Tensor key = at::linear(input_, p["key.weight"], p["key.bias"]);
  const double score = at::dot(query[0][4], key[0][4]).item<double>() /
                       std::sqrt(static_cast<double>(kVariantWidth));
  const double moved =
      ((after[4][4] / after[4][0]).log() - (before[4][4] / before[4][0]).log()).item<double>();
  EXPECT_NEAR(moved, -0.8 * score, 1e-12);
}

TEST_F(AttentionVariants, HistoryScaleMultipliesTheScoresOffTheDiagonal) {
  for (const double diagonal : {1.0, 0.2}) {
    for (const double rate : {0.2, 1.0, 2.0}) {
      auto scaled = make_variant("history_scale", {{"rate", rate}, {"diagonal_rate", diagonal}}, 1);
      const auto p = scaled->named_parameters();
      const at::Tensor query = at::linear(input_, p["query.weight"], p["query.bias"]);
      const at::Tensor key = at::linear(input_, p["key.weight"], p["key.bias"]);
      const at::Tensor scores =
          at::matmul(query, key.transpose(1, 2)) / std::sqrt(static_cast<double>(kVariantWidth));
      const at::Tensor own = at::eye(6, at::kDouble);
      const at::Tensor hidden = at::ones({6, 6}, at::kBool).triu(1);
      const at::Tensor expected = (diagonal * scores * own + rate * scores * (1 - own))
                                      .masked_fill(hidden, -INFINITY)
                                      .softmax(-1);
      EXPECT_LT(worst_difference(variant_map(*scaled, input_).select(1, 0), expected), 1e-12)
          << rate << " " << diagonal;
    }
  }
}

TEST_F(AttentionVariants, HistoryScaleWithADiagonalMaskIsDiagFreeWithOtherRates) {
  auto free = make_variant("diag_free", Json::object());
  const auto map_of = [&](double rate) {
    auto scaled = make_variant("history_scale", {{"rate", rate}, {"diagonal_mask", true}});
    const at::NoGradGuard no_gradient;
    for (const auto& one : free->named_parameters())
      scaled->named_parameters()[one.key()].copy_(one.value());
    return variant_map(*scaled, input_);
  };
  EXPECT_LT(worst_difference(map_of(1), variant_map(*free, input_)), 1e-12);
  const at::Tensor map = map_of(2);
  EXPECT_TRUE(map.diagonal(0, 2, 3).narrow(2, 1, 5).eq(0.0).all().item<bool>());
  EXPECT_GT(worst_difference(map, map_of(1)), 1e-6);
}

TEST_F(AttentionVariants, DiagFreeHidesEachTokenButTheFirstFromItself) {
  const at::Tensor map = variant_map(*make_variant("diag_free", Json::object()), input_);
  const at::Tensor own = map.diagonal(0, 2, 3);
  EXPECT_TRUE(own.narrow(2, 0, 1).eq(1.0).all().item<bool>());
  EXPECT_TRUE(own.narrow(2, 1, 5).eq(0.0).all().item<bool>());
  EXPECT_LT(worst_difference(map.sum(-1), at::ones({2, 2, 6}, at::kDouble)), 1e-12);
}

TEST_F(AttentionVariants, DiagFreeLetsTheFirstTokenBehindPaddingSeeItself) {
  const at::Tensor keep = at::arange(6).ge(2).expand({2, 6});
  const at::Tensor map =
      variant_map(*make_variant("diag_free", Json::object()), input_, true, keep);
  EXPECT_EQ(map[0][0][2][2].item<double>(), 1.0);
  EXPECT_EQ(map[0][0][3][3].item<double>(), 0.0);
  EXPECT_EQ(map[0][0][1].sum().item<double>(), 0.0) << "padding sees nothing";
}

TEST_F(AttentionVariants, TheDiagonalMeansNothingBetweenTwoSequences) {
  for (const char* name : {"diag_scale", "diag_free"}) {
    auto dense = make_variant("dense", Json::object(), 2, AttentionPlace::decoder_cross);
    auto variant = make_variant(name, Json::object(), 2, AttentionPlace::decoder_cross);
    copy_weights(*dense, *variant);
    EXPECT_TRUE(at::equal(run_variant(*variant, input_, false), run_variant(*dense, input_, false)))
        << name;
  }
}

TEST_F(AttentionVariants, HaveTheGradientsOfDifferences) {
  by_hand::expect_gradients("diag_scale", {{"rate", 0.2}});
  by_hand::expect_gradients("diag_scale", {{"rate", 2}});
  by_hand::expect_gradients("history_scale", {{"rate", 0.2}});
  by_hand::expect_gradients("history_scale", {{"rate", 2}, {"diagonal_rate", 0.2}});
  by_hand::expect_gradients("diag_free", Json::object());
}

TEST_F(AttentionVariants, SayWhatIsWrong) {
  EXPECT_THAT([] { make_variant("dense", Json::object(), 3); },
              ThrowsMessage<ConfigError>(HasSubstr("got d_model 8, heads 3")));
}

}  // namespace
}  // namespace rethink
