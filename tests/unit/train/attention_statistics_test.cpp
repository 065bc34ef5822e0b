// Attention of tokens to themselves and to others: sums by hand, and the analysis of a trial's weights.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "experiments/train/analyses/decoder_attention.h"
#include "experiments/train/analyses/trained_decoder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

TEST(AttentionSums, AreMeansOverTokensAndPairs) {
  // Two heads whose mean is [1 0 0; 0.4 0.6 0; 0.1 0.3 0.6], and a sequence of one token.
  const at::Tensor first = at::tensor({1.0, 0.0, 0.0, 0.8, 0.2, 0.0, 0.2, 0.6, 0.2}).view({3, 3}),
                   second = at::tensor({1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}).view({3, 3});
  AttentionSums sums;
  sums.add(at::stack({first, second}).unsqueeze(0));
  sums.add(at::ones({1, 2, 1, 1}));
  EXPECT_NEAR(sums.current(), (1 + 0.6 + 0.6 + 1) / 4, 1e-12);
  EXPECT_NEAR(sums.current_if_even(), (1 + 1.0 / 2 + 1.0 / 3 + 1) / 4, 1e-12);
  EXPECT_NEAR(sums.history(), (0.4 + 0.1 + 0.3) / 3, 1e-12);
  EXPECT_NEAR(sums.history_deviation(), (0 + 0.1) / 2,
              1e-12);  // standard deviation of a single 0, and of 0.1 and 0.3
}

TEST(AttentionSums, WithoutTokensAreNaN) {
  AttentionSums sums;
  sums.add(at::ones({1, 1, 1, 1}));
  EXPECT_EQ(sums.current(), 1);
  EXPECT_TRUE(std::isnan(sums.history()));
  EXPECT_TRUE(std::isnan(sums.history_deviation()));
}

/// Returns "test/NAME@last" of an analysis of the model that `job` left.
std::map<std::string, double> analyzed(const Json& options, const std::string& job,
                                       const Json& analysis) {
  AttemptFixture trained(options, 0, job);
  trained.runtime.keep_weights = true;
  EXPECT_EQ(trained.run(), JobOutcome::done);
  Json what = {{"kind", "attention_statistics"}};
  what.update(analysis);
  AttemptFixture attempt({{"analysis", what}}, 0, "analyze");
  attempt.runtime.cache = trained.runtime.cache;
  attempt.inputs["init"] = of_kind(trained, "weights");
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  return attempt.metrics();
}

TEST(AttentionStatistics, ReadALanguageModelAsItWasTrained) {
  const auto found = analyzed(tiny_lm({{"steps", 3}}), "lm", {{"layer", 2}});
  const double current = found.at("test/current@last 0"), history = found.at("test/history@last 0");
  EXPECT_GT(current, 0);
  EXPECT_LT(current, 1);
  EXPECT_GT(found.at("test/history_sd@last 0"), 0);
  EXPECT_GT(found.at("test/current_if_even@last 0"), 0);
  EXPECT_NEAR(found.at("test/ratio@last 0"), current / history, 1e-12);
  // A bird-eye layer hides the diagonal except for the first token.
  const Json hidden = {{"steps", 3}, {"model", {{"attention", {{"kind", "bird_eye"}}}}}};
  EXPECT_LT(analyzed(tiny_lm(hidden), "lm", {{"layer", 2}}).at("test/current@last 0"),
            0.5 * current);
}

TEST(AttentionStatistics, ReadTheDecoderOfATranslationModel) {
  Json options = {
      {"data",
       {{"dataset", "synthetic_translations"}, {"sentences", 60}, {"words", 8}, {"length", 5}}},
      {"model", {{"encoder_layers", 1}, {"layers", 2}, {"d_model", 8}, {"heads", 2}, {"ffn", 8}}},
      {"steps", 2},
      {"search", {{"beams", 2}}},
      {"evaluate", {{"splits", {"dev"}}}}};
  const Json analysis = {{"layer", 2}, {"sequences", 3}};
  const double current = analyzed(options, "mt", analysis).at("test/current@last 0");
  EXPECT_GT(current, 0.1);
  // With bird_eye the decoder's self-attention hides its diagonal, and its attention to the source does not.
  Json hidden = options;
  hidden["model"]["attention"] = {{"kind", "diag_free"}};
  EXPECT_LT(analyzed(hidden, "mt", analysis).at("test/current@last 0"), 0.5 * current);
  EXPECT_THAT([&] { analyzed(options, "mt", {{"layer", 3}}); }, ThrowsCode("invalid-value"));
}

TEST(AttentionStatistics, AreMeasuredInTheNamedLayer) {
  std::vector<at::Tensor> recorded;
  for (int i = 0; i < 4; ++i) recorded.push_back(at::full({1, 1, 2, 2}, i));
  const auto found = maps_of_layers(recorded, /*layers=*/2, /*calls=*/2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(at::equal(found[1], recorded[2]));
  recorded.pop_back();  // layer 3 of a model with two layers
  for (const int calls : {1, 2}) {
    EXPECT_THAT([&] { maps_of_layers(recorded, 2, calls); }, ThrowsCode("wrong-attention"));
  }
}

TEST(AttentionStatistics, NeedADecoder) {
  AttemptFixture attempt({{"analysis", {{"kind", "attention_statistics"}, {"layer", 1}}}}, 0,
                         "analyze");
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("missing-need"));
}

}  // namespace
}  // namespace rethink
