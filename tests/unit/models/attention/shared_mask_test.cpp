// SparseBERT's masks that learn, compared with the paper's formulas in float64.
#include "models/attention/shared_mask.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "models/tensors/random.h"
#include "tests/support/error_ratio.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

constexpr int64_t kMaskHeads = 2, kMaskWidth = 6, kLength = 8;

/// One layer of a model in float64, without dropout.
struct Layer {
  Layer(const std::string& name, Json options) {
    at::manual_seed(5);
    AttentionSite site{
        .d_model = kMaskWidth, .heads = kMaskHeads, .place = AttentionPlace::encoder_self};
    site.shared = &shared;
    if (name != "dense") options["length"] = kLength;
    attention = attentions().make(name, options, site);
    attention->to(at::kDouble);
    for (auto& [key, state] : shared) state->to(at::kDouble);
    train(false);
  }
  void train(bool on) {
    attention->train(on);
    for (auto& [key, state] : shared) state->train(on);
  }
  at::Tensor alpha() { return shared.begin()->second->named_parameters()["alpha"]; }
  void set_alpha(const at::Tensor& values) {
    const at::NoGradGuard no_gradient;
    alpha().copy_(values);
  }
  void take_projections(const Layer& other) {
    const at::NoGradGuard no_gradient;
    const auto theirs = other.attention->named_parameters();
    for (auto& item : attention->named_parameters()) item.value().copy_(theirs[item.key()]);
  }
  /// Returns the options that `attend` gets in this pass, for a text of `tokens`.
  AttendOptions refreshed(PhiloxKey pass, int64_t tokens, Recorder* record = nullptr) {
    auto& mask = dynamic_cast<SharedMask&>(*shared.begin()->second);
    mask.refresh(pass, record);
    AttendOptions options;
    const at::Tensor input = at::zeros({1, tokens, kMaskWidth}, at::kDouble);
    mask.apply({.query_input = input, .key_input = input}, options);
    return options;
  }
  at::Tensor forward(const at::Tensor& input, Recorder* record = nullptr) {
    for (auto& [key, state] : shared) state->refresh({}, record);
    return attention->forward({.query_input = input, .key_input = input, .record = record});
  }

  std::map<std::string, std::shared_ptr<SharedAttentionState>> shared;
  std::shared_ptr<Attention> attention;
};

at::Tensor layer_input(int64_t tokens) {
  at::manual_seed(9);
  return at::randn({2, tokens, kMaskWidth}, at::kDouble);
}

TEST(Importance, IsDenseWhereEveryProbabilityIsOne) {
  Layer dense("dense", Json::object());
  for (const char* form : {"additive", "multiplicative"}) {
    Layer importance("importance", {{"form", form}});
    importance.take_projections(dense);
    importance.set_alpha(at::full({kMaskHeads, kLength, kLength}, 100.0, at::kDouble));
    EXPECT_LT(worst_difference(importance.forward(layer_input(kLength)),
                               dense.forward(layer_input(kLength))),
              1e-15)
        << form;
  }
}

TEST(Importance, IsSymmetricAndItsUpperTriangleLearns) {
  Layer layer("importance", Json::object());
  const at::Tensor probability = layer.shared.at("importance")->artifacts().at("importance");
  EXPECT_TRUE(at::equal(probability, probability.transpose(1, 2)));
  EXPECT_NEAR(probability.mean().item<double>(), 0.5, 1e-3);
  layer.forward(layer_input(kLength)).square().sum().backward();
  const at::Tensor gradient = layer.alpha().grad();
  EXPECT_TRUE(gradient.tril(-1).eq(0).all().item<bool>());
  EXPECT_TRUE(gradient.ne(0).eq(at::ones_like(gradient).triu().ne(0)).all().item<bool>());
}

/// Compares the plain path's maps with equations 4 and 5, from the layer's own queries and keys.
TEST(Importance, WeighsAsThePaperSays) {
  for (const bool additive : {true, false}) {
    Layer dense("dense", Json::object());
    Layer layer("importance", {{"form", additive ? "additive" : "multiplicative"},
                               {"symmetric", false},
                               {"constant", 3.0}});
    layer.take_projections(dense);
    const at::Tensor alpha = at::randn({kMaskHeads, kLength, kLength}, at::kDouble);
    layer.set_alpha(alpha);
    constexpr int64_t kTokens = 5;
    Recorder plain{.keep_maps = true}, masked{.keep_maps = true};
    dense.forward(layer_input(kTokens), &plain);
    layer.forward(layer_input(kTokens), &masked);
    const at::Tensor p = alpha.sigmoid().slice(1, 0, kTokens).slice(2, 0, kTokens);
    // softmax(s + q) follows from softmax(s): exp(q) A over its sum.
    const at::Tensor raised = plain.maps[0] * (-3.0 * (1.0 - p)).exp();
    const at::Tensor expected =
        additive ? raised / raised.sum(-1, /*keepdim=*/true) : p * plain.maps[0];
    EXPECT_LT(worst_difference(masked.maps[0], expected), 1e-14) << additive;
  }
}

/// Checks d(sum of w M)/d(alpha) of one position, straight through the rounding: w sigmoid'(z) / tau.
TEST(Dam, SamplesAHardMaskWithTheGradientOfTheSoftOne) {
  constexpr double kTau = 0.7, kConstant = 10000.0;
  Layer layer("dam", {{"temperature", kTau}});
  layer.train(true);
  const at::Tensor alpha = at::randn({kMaskHeads, kLength * kLength}, at::kDouble);
  layer.set_alpha(alpha);
  const PhiloxKey pass = training_key(3, 17, 0);
  const at::Tensor mask = layer.refreshed(pass, kLength).bias / kConstant + 1.0;
  EXPECT_TRUE(mask.eq(0).logical_or(mask.eq(1)).all().item<bool>());
  const at::Tensor noise =
      logistic_noise({kMaskHeads, kLength * kLength}, derived(pass, 0), at::kCPU).to(at::kDouble);
  const at::Tensor soft = ((alpha + noise) / kTau).sigmoid();
  EXPECT_TRUE(at::equal(mask.detach().flatten(1), (soft > 0.5).to(at::kDouble)));
  const at::Tensor weight = at::randn_like(mask);
  (mask * weight).sum().backward();
  const at::Tensor expected = weight.flatten(1) * soft * (1.0 - soft) / kTau;
  EXPECT_LT(worst_difference(layer.alpha().grad(), expected), 1e-12);
}

TEST(Dam, DrawsEachStepAndRepeatsAStep) {
  Layer layer("dam", Json::object());
  layer.train(true);
  const at::Tensor first = layer.refreshed(training_key(1, 5, 0), kLength).bias.clone();
  EXPECT_TRUE(at::equal(layer.refreshed(training_key(1, 5, 0), kLength).bias, first));
  EXPECT_FALSE(at::equal(layer.refreshed(training_key(1, 6, 0), kLength).bias, first));
  EXPECT_FALSE(at::equal(layer.refreshed(training_key(1, 5, 1), kLength).bias, first));
  EXPECT_FALSE(at::equal(layer.refreshed(training_key(2, 5, 0), kLength).bias, first));
}

TEST(Dam, SamplesWithTheProbabilityOfItsScore) {
  Layer layer("dam", Json::object());
  layer.train(true);
  layer.set_alpha(at::full({kMaskHeads, kLength * kLength}, 1.5, at::kDouble));
  double active = 0.0;
  constexpr int64_t kSteps = 200;
  for (int64_t step = 1; step <= kSteps; ++step)
    active +=
        1.0 + layer.refreshed(training_key(0, step, 0), kLength).bias.mean().item<double>() / 1e4;
  EXPECT_NEAR(active / kSteps, 1.0 / (1.0 + std::exp(-1.5)), 0.01);
}

TEST(Dam, AStructuredMaskSharesDistancesAndKeepsItsEnds) {
  Layer layer("dam", {{"structured", true}});
  EXPECT_EQ(layer.alpha().sizes(), at::IntArrayRef({kMaskHeads, kLength - 2}));
  layer.train(true);
  const at::Tensor mask = layer.refreshed(training_key(0, 1, 0), kLength).bias.detach() / 1e4 + 1.0;
  for (int64_t head = 0; head < kMaskHeads; ++head) {
    for (int64_t i = 0; i < kLength; ++i) {
      for (int64_t j = 0; j < kLength; ++j) {
        const double value = mask[head][i][j].item<double>();
        const bool is_end = i == 0 || j == 0 || i == kLength - 1 || j == kLength - 1;
        if (is_end) {
          EXPECT_EQ(value, 1.0) << i << ", " << j;
        } else {
          EXPECT_EQ(value, mask[head][1][1 + std::abs(i - j)].item<double>()) << i << ", " << j;
        }
      }
    }
  }
}

/// A distance's alpha learns from all its positions except the forced ones, and from its penalty.
TEST(Dam, ADistanceLearnsFromEveryPlaceThatHasIt) {
  Layer layer("dam", {{"structured", true}, {"penalty", 0.5}, {"hard", false}});
  layer.train(true);
  const at::Tensor alpha = at::randn({kMaskHeads, kLength - 2}, at::kDouble);
  layer.set_alpha(alpha);
  const PhiloxKey pass = training_key(4, 2, 0);
  Recorder record;
  const at::Tensor mask = layer.refreshed(pass, kLength, &record).bias / 1e4 + 1.0;
  const at::Tensor weight = at::randn_like(mask);
  ((mask * weight).sum() + record.losses.at("mask_penalty")).backward();
  const at::Tensor noise =
      logistic_noise({kMaskHeads, kLength - 2}, derived(pass, 0), at::kCPU).to(at::kDouble);
  const at::Tensor soft = (alpha + noise).sigmoid();
  at::Tensor expected = at::zeros_like(alpha);
  for (int64_t head = 0; head < kMaskHeads; ++head) {
    for (int64_t i = 1; i < kLength - 1; ++i) {
      for (int64_t j = 1; j < kLength - 1; ++j)
        expected[head][std::abs(i - j)] += weight[head][i][j] + 0.5;
    }
  }
  expected *= soft * (1.0 - soft);
  EXPECT_LT(worst_difference(layer.alpha().grad(), expected), 1e-10);
}

/// Otherwise a penalty that empties rows would change nothing, since softmax ignores a common decrease.
TEST(Dam, ARowWithoutAnActivePlaceAttendsToNothing) {
  for (const bool trains : {true, false}) {
    Layer layer("dam", Json::object());
    at::Tensor alpha = at::full({kMaskHeads, kLength, kLength}, 100.0, at::kDouble);
    alpha.select(1, 3).fill_(-100.0);
    layer.set_alpha(alpha.flatten(1));
    layer.train(trains);
    Recorder record{.keep_maps = true};
    layer.forward(layer_input(kLength), &record);
    const at::Tensor seen = record.maps[0].gt(0);
    EXPECT_FALSE(seen.select(2, 3).any().item<bool>()) << trains;
    EXPECT_EQ(seen.sum().item<int64_t>(), 2 * kMaskHeads * kLength * (kLength - 1)) << trains;
  }
}

/// This is the paper's exact formula, as in the released code.
TEST(Dam, ARowWithoutAnActivePlaceCanStayDense) {
  Layer dense("dense", Json::object());
  for (const bool trains : {true, false}) {
    Layer layer("dam", {{"empty_rows", "dense"}});
    layer.take_projections(dense);
    at::Tensor alpha = at::full({kMaskHeads, kLength, kLength}, -100.0, at::kDouble);
    alpha.select(1, 3).select(1, 5).fill_(100.0);  // query 3 sees key 5 alone
    layer.set_alpha(alpha.flatten(1));
    layer.train(trains);
    Recorder plain{.keep_maps = true}, masked{.keep_maps = true};
    dense.forward(layer_input(kLength), &plain);
    layer.forward(layer_input(kLength), &masked);
    at::Tensor expected = plain.maps[0].clone();
    expected.select(2, 3).zero_();
    expected.select(2, 3).select(2, 5).fill_(1.0);
    EXPECT_LT(worst_difference(masked.maps[0], expected), 1e-10) << trains;
  }
}

/// In training, with dropout, the fused operator is compared with the plain expression.
TEST(Dam, ItsScoresGetTheSameGradientOnBothPaths) {
  for (const bool structured : {false, true}) {
    for (const bool hard : {false, true}) {
      std::vector<Tensors> results;
      for (const bool plain : {false, true}) {
        Layer layer("dam", {{"structured", structured}, {"hard", hard}, {"constant", 3.0}});
        layer.train(true);
        Recorder record{.keep_maps = plain};
        const at::Tensor output = layer.forward(layer_input(kLength), &record);
        (output.square().sum() + record.losses.at("mask_penalty")).backward();
        results.push_back({output.detach(), layer.alpha().grad()});
        for (const auto& parameter : layer.attention->parameters())
          results.back().push_back(parameter.grad());
      }
      EXPECT_GT(results[0][1].abs().max().item<double>(), 1e-3);
      for (size_t i = 0; i < results[0].size(); ++i)
        EXPECT_LT(worst_difference(results[0][i], results[1][i]), 1e-11) << i;
    }
  }
}

/// -c(1 - P) is about -5,000, where bfloat16 has steps of 32, so P has an effect only in float32.
TEST(SharedMask, TheBiasStaysInFloat32UnderAutocast) {
  for (const std::string name : {"importance", "dam"}) {
    Layer layer(name, Json::object());
    layer.attention->to(at::kFloat);
    layer.shared.at(name)->to(at::kFloat);
    layer.train(true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, true);
    const AttendOptions options = layer.refreshed(training_key(0, 1, 0), kLength);
    at::autocast::set_autocast_enabled(at::kCPU, false);
    ASSERT_TRUE(options.bias.defined()) << name;
    EXPECT_EQ(options.bias.scalar_type(), at::kFloat) << name;
  }
}

TEST(Dam, EvaluatesWithTheMostProbableMaskOrAsReleasedWithASample) {
  for (const char* evaluation : {"thresholded", "sampled"}) {
    Layer layer("dam", {{"evaluation", evaluation}});
    const at::Tensor alpha = at::randn({kMaskHeads, kLength * kLength}, at::kDouble);
    layer.set_alpha(alpha);
    const PhiloxKey pass = evaluation_key(6, 40, 2);
    const at::NoGradGuard no_gradient;
    const at::Tensor active = layer.refreshed(pass, kLength).mask.flatten(1);
    const at::Tensor noise =
        logistic_noise({kMaskHeads, kLength * kLength}, derived(pass, 0), at::kCPU).to(at::kDouble);
    const bool sampled = evaluation == std::string("sampled");
    const at::Tensor expected = (sampled ? alpha + noise : alpha).gt(0);
    EXPECT_TRUE(at::equal(active.to(at::kBool), expected)) << evaluation;
  }
}

TEST(Dam, TheReleasedFormHasTwoLogitsForEveryDistance) {
  Layer layer("dam", {{"structured", true}, {"force_ends", false}, {"two_logits", true}});
  EXPECT_EQ(layer.alpha().sizes(), at::IntArrayRef({kMaskHeads, kLength, 2}));
  at::Tensor alpha = at::zeros({kMaskHeads, kLength, 2}, at::kDouble);
  alpha.select(1, 3).select(1, 0).fill_(1.0);  // only the distance 3 is likely
  alpha.select(2, 1).fill_(0.5);
  layer.set_alpha(alpha);
  const at::Tensor mask = layer.shared.at("dam")->artifacts().at("mask");
  EXPECT_EQ(mask.sum().item<int64_t>(), kMaskHeads * 2 * (kLength - 3));
  EXPECT_EQ(mask[0][0][3].item<int64_t>(), 1);
}

TEST(Dam, PenalisesEveryActivePlaceAndTellsItsSparsity) {
  Layer layer("dam", {{"penalty", 0.25}});
  layer.train(true);
  Recorder record;
  const at::Tensor mask =
      layer.refreshed(training_key(0, 1, 0), kLength, &record).bias.detach() / 1e4 + 1.0;
  EXPECT_NEAR(record.losses.at("mask_penalty").item<double>(), 0.25 * mask.sum().item<double>(),
              1e-9);
  EXPECT_NEAR(record.numbers.at("mask_sparsity").item<double>(), 1.0 - mask.mean().item<double>(),
              1e-12);
}

TEST(Dam, ItsTemperatureFallsGeometrically) {
  Layer layer("dam", {{"hard", false},
                      {"evaluation", "sampled"},
                      {"temperature", 4.0},
                      {"last_temperature", 1.0},
                      {"temperature_steps", 10}});
  layer.train(true);
  layer.set_alpha(at::zeros({kMaskHeads, kLength * kLength}, at::kDouble));
  struct Pass {
    bool trains;
    PhiloxKey key;
    double tau;
  };
  for (const auto& [trains, pass, tau] :
       {Pass{true, training_key(0, 5, 0), 2.0}, Pass{true, training_key(0, 10, 3), 1.0},
        Pass{true, training_key(0, 30, 0), 1.0}, Pass{false, evaluation_key(0, 5, 9), 2.0}}) {
    layer.train(trains);
    const at::Tensor mask = layer.refreshed(pass, kLength).bias.detach() / 1e4 + 1.0;
    const at::Tensor noise =
        logistic_noise({kMaskHeads, kLength * kLength}, derived(pass, 0), at::kCPU).to(at::kDouble);
    EXPECT_LT(worst_difference(mask.flatten(1), (noise / tau).sigmoid()), 1e-11) << tau;
  }
}

TEST(SharedMask, OneMaskServesAllLayersAndOptionsMustAgree) {
  std::map<std::string, std::shared_ptr<SharedAttentionState>> shared;
  AttentionSite site{
      .d_model = kMaskWidth, .heads = kMaskHeads, .place = AttentionPlace::encoder_self};
  site.shared = &shared;
  attentions().make("dam", {{"length", kLength}}, site);
  attentions().make("dam", {{"length", kLength}}, site);
  EXPECT_EQ(shared.size(), 1u);
  EXPECT_THAT(
      [&] {
        attentions().make("dam", {{"length", 2 * kLength}}, site);
      },
      ThrowsCode("conflicting-values"));
}

TEST(SharedMask, SaysWhichTextsAreTooLong) {
  Layer layer("masked", {{"mask", {{"kind", "star"}}}});
  EXPECT_THAT([&] { layer.forward(layer_input(kLength + 1)); }, ThrowsCode("too-long"));
}

TEST(SharedMask, MaskedPlacesGetNoWeight) {
  Layer layer("masked", {{"mask", {{"kind", "star"}, {"diagonal", false}}}});
  constexpr int64_t kTokens = 5;
  Recorder record{.keep_maps = true};
  layer.forward(layer_input(kTokens), &record);
  const at::Tensor cells = layer.shared.at("masked")->artifacts().at("mask").to(at::kBool);
  const at::Tensor seen = cells.slice(1, 0, kTokens).slice(2, 0, kTokens);
  EXPECT_TRUE(record.maps[0].gt(0).eq(seen).all().item<bool>());
}

/// An epoch has texts of hundreds of widths.
TEST(SharedMask, KeepsOnlyTheNewestPartOfAMask) {
  Layer layer("masked", {{"mask", {{"kind", "star"}}}});
  const at::Tensor five = layer.refreshed({}, 5).mask;
  EXPECT_TRUE(layer.refreshed({}, 5).mask.is_same(five)) << "layers of a pass share it";
  EXPECT_EQ(layer.refreshed({}, 4).mask.size(2), 4);
  EXPECT_EQ(five.use_count(), 1u) << "held by this test alone";
  EXPECT_TRUE(at::equal(layer.refreshed({}, 5).mask, five));
}

TEST(LogisticNoise, HasTheLogisticDistribution) {
  const at::Tensor noise = logistic_noise({200000}, {1, 2}, at::kCPU).to(at::kDouble);
  EXPECT_NEAR(noise.mean().item<double>(), 0.0, 0.02);
  EXPECT_NEAR(noise.var().item<double>(), M_PI * M_PI / 3, 0.05);
  EXPECT_TRUE(noise.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace rethink
