#include "experiments/plan/estimated_flops.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

TEST(EstimatedFlops, AreOfLayersAndPairsOverAllTokens) {
  const PluginSchema job;
  const Schema schema;
  TrainingTexts texts("");
  Json config{{"steps", 10},
              {"batch", 4},
              {"accumulate", 2},
              {"max_length", 8},
              {"model", {{"layers", 3}, {"d_model", 16}, {"heads", 2}, {"ffn", 64}}}};
  const double tokens = 10 * 4 * 2 * 8, weights = 3 * (4 * 16 * 16 + 2 * 16 * 64);
  const double pairs = 3 * 12 * 8 * 16;
  EXPECT_DOUBLE_EQ(*estimated_flops(config, job, schema, texts), tokens * (6 * weights + pairs));
  config["steps"] = nullptr;
  config["epochs"] = 3;
  EXPECT_FALSE(estimated_flops(config, job, schema, texts))
      << "of no data set that says its examples";
  config["steps"] = 10;
  config["model"].erase("ffn");
  EXPECT_FALSE(estimated_flops(config, job, schema, texts));
}

TEST(EstimatedFlops, CountEncoderDecoderAndCrossAttention) {
  TrainingTexts texts("");
  const Json config{
      {"steps", 10},
      {"batch", 64},
      {"batch_tokens", 80},
      {"data", {{"length", 8}}},
      {"model",
       {{"encoder_layers", 3}, {"layers", 2}, {"d_model", 16}, {"heads", 2}, {"ffn", 64}}}};
  const double weights = 7 * 4 * 16 * 16 + 5 * 2 * 16 * 64, pairs = 7 * 12 * 8 * 16;
  EXPECT_DOUBLE_EQ(*estimated_flops(config, PluginSchema(), Schema(), texts),
                   10 * 80 * (6 * weights + pairs));
}

}  // namespace
}  // namespace rethink
