// BET(SG)'s pointer loss compared with its sum in float64, token after token.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "models/attention/attention.h"
#include "tests/support/error_ratio.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/attention/by_differences.h"

namespace rethink {
namespace {

constexpr int64_t kGuidedWidth = 8, kGuidedHeads = 2, kGuidedTokens = 5;

std::shared_ptr<Attention> make_guided(const Json& options) {
  AttentionSite site;
  site.d_model = kGuidedWidth;
  site.heads = kGuidedHeads;
  auto attention = attentions().make("syntax_guided", options, site);
  attention->to(at::kDouble);
  return attention;
}

/// Returns no tree for one token, itself for another, and nothing after the second sequence's end.
at::Tensor hints() {
  return at::tensor({0, 0, -1, 3, 1, 0, 1, 0, -2, -2}, at::kLong).view({2, kGuidedTokens});
}

struct Found {
  at::Tensor output, maps, loss;
};

Found found(Attention& attention, const at::Tensor& input, const at::Tensor& hints_BT) {
  Recorder record{.keep_maps = true};
  const SideInputs side = {{"hints", hints_BT}};
  Found found;
  found.output = attention.forward(
      {.query_input = input, .key_input = input, .causal = true, .side = &side, .record = &record});
  found.maps = record.maps.at(0);
  if (record.losses.contains("pointer")) found.loss = record.losses.at("pointer");
  return found;
}

/// Returns lambda times the mean over the predicted tokens, where `weight_of` gives A[b, t, hint].
double pointer_loss_by_hand(
    const at::Tensor& hints_BT, double lambda, bool diagonal_mask,
    const std::function<double(int64_t b, int64_t t, int64_t hint)>& weight_of) {
  double sum = 0;
  int64_t predicted = 0;
  for (int64_t b = 0; b < hints_BT.size(0); ++b) {
    for (int64_t t = 0; t < hints_BT.size(1); ++t) {
      const auto hint = hints_BT[b][t].item<int64_t>();
      predicted += hint >= -1;
      if (hint < 0 || (diagonal_mask && hint == t && t > 0)) continue;
      sum -= std::log(weight_of(b, t, hint));
    }
  }
  return lambda * sum / static_cast<double>(predicted);
}

class SyntaxGuided : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(9); }
  const at::Tensor input_ = at::randn({2, kGuidedTokens, kGuidedWidth}, at::kDouble);
};

TEST_F(SyntaxGuided, LearnsFromTheMeanOfItsHeadsOrFromOne) {
  for (const bool diagonal_mask : {false, true}) {
    auto mean = make_guided({{"lambda", 0.3}, {"diagonal_mask", diagonal_mask}});
    const Found all = found(*mean, input_, hints());
    const auto of_mean = [&](int64_t b, int64_t t, int64_t hint) {
      return all.maps.mean(1)[b][t][hint].item<double>();
    };
    EXPECT_NEAR(all.loss.item<double>(), pointer_loss_by_hand(hints(), 0.3, diagonal_mask, of_mean),
                1e-12);
    auto second = make_guided({{"lambda", 2}, {"head", 2}, {"diagonal_mask", diagonal_mask}});
    const Found one = found(*second, input_, hints());
    const auto of_second = [&](int64_t b, int64_t t, int64_t hint) {
      return one.maps[b][1][t][hint].item<double>();
    };
    EXPECT_NEAR(one.loss.item<double>(), pointer_loss_by_hand(hints(), 2, diagonal_mask, of_second),
                1e-12);
  }
}

/// A curve shows the loss of all layers, without lambda.
TEST_F(SyntaxGuided, NotesItsUnweightedLossOfAllLayers) {
  auto attention = make_guided({{"lambda", 0.3}});
  const SideInputs side = {{"hints", hints()}};
  Recorder record;
  const AttentionCall call{
      .query_input = input_, .key_input = input_, .causal = true, .side = &side, .record = &record};
  attention->forward(call);
  const double of_one = record.losses.at("pointer").item<double>() / 0.3;
  EXPECT_NEAR(record.numbers.at("pointer_loss").item<double>(), of_one, 1e-12);
  EXPECT_FALSE(record.numbers.at("pointer_loss").requires_grad());
  attention->forward(call);
  EXPECT_NEAR(record.numbers.at("pointer_loss").item<double>(), 2 * of_one, 1e-12);
}

TEST_F(SyntaxGuided, IsDenseBesideItsLoss) {
  AttentionSite site;
  site.d_model = kGuidedWidth;
  site.heads = kGuidedHeads;
  for (const bool diagonal_mask : {false, true}) {
    auto plain = attentions().make(diagonal_mask ? "diag_free" : "dense", Json::object(), site);
    plain->to(at::kDouble);
    auto guided = make_guided({{"diagonal_mask", diagonal_mask}});
    {
      const at::NoGradGuard no_gradient;
      auto values = plain->named_parameters();
      for (const auto& item : guided->named_parameters()) values[item.key()].copy_(item.value());
    }
    const at::Tensor expected =
        plain->forward({.query_input = input_, .key_input = input_, .causal = true});
    const Found trained = found(*guided, input_, hints());
    EXPECT_LT(worst_difference(trained.output, expected), 1e-12);
    EXPECT_TRUE(trained.loss.defined());
    guided->eval();
    const Found evaluated = found(*guided, input_, hints());
    EXPECT_LT(worst_difference(evaluated.output, expected), 1e-12);
    EXPECT_FALSE(evaluated.loss.defined());
  }
}

/// The quirk attention_dropout_at_evaluation has this effect.
TEST_F(SyntaxGuided, NeedsNoHintsWhereThereAreNoGradients) {
  auto attention = make_guided(Json::object());
  const at::NoGradGuard no_gradient;
  Recorder record;
  EXPECT_NO_THROW(attention->forward(
      {.query_input = input_, .key_input = input_, .causal = true, .record = &record}));
  EXPECT_TRUE(record.losses.empty());
}

TEST_F(SyntaxGuided, HasTheGradientsOfDifferences) {
  for (const bool diagonal_mask : {false, true}) {
    for (const Json& head : {Json(), Json(2)}) {
      auto attention =
          make_guided({{"lambda", 0.7}, {"head", head}, {"diagonal_mask", diagonal_mask}});
      const at::Tensor input = input_.clone().requires_grad_();
      by_hand::expect_gradients(*attention, input, [&] {
        const Found now = found(*attention, input, hints());
        return (now.output * fixed_upstream(now.output)).sum() + now.loss;
      });
    }
  }
}

TEST_F(SyntaxGuided, LearnsWhereToLook) {
  auto attention = make_guided({{"lambda", 1}});
  double first = 0, last = 0;
  for (int step = 0; step < 60; ++step) {
    attention->zero_grad();
    const at::Tensor loss = found(*attention, input_, hints()).loss;
    loss.backward();
    last = loss.item<double>();
    if (step == 0) first = last;
    const at::NoGradGuard no_gradient;
    for (at::Tensor& parameter : attention->parameters()) {
      if (parameter.grad().defined()) parameter.sub_(0.5 * parameter.grad());
    }
  }
  EXPECT_LT(last, 0.3 * first);
}

TEST_F(SyntaxGuided, SaysWhatItLacks) {
  auto attention = make_guided(Json::object());
  Recorder record;
  EXPECT_THAT(
      [&] {
        attention->forward(
            {.query_input = input_, .key_input = input_, .causal = true, .record = &record});
      },
      ThrowsCode("wrong-attention"));
  EXPECT_THAT([] { make_guided({{"head", 3}}); }, ThrowsCode("conflicting-values"));
}

}  // namespace
}  // namespace rethink
