#include "experiments/plan/model_shape.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

Json config_of(Json data, Json others = Json::object()) {
  Json config{{"model", {{"layers", 2}, {"d_model", 16}, {"heads", 2}, {"ffn", 64}}},
              {"batch", 4},
              {"data", std::move(data)}};
  config.update(others);
  return config;
}

int64_t tokens_of(const Json& config) {
  const auto shape = model_shape(config);
  return shape ? shape->tokens : 0;
}

TEST(ModelShape, KnowsEachJobsNameOfTheLongestSequence) {
  // pretrain and finetune have the job's length, however long the texts are.
  EXPECT_EQ(tokens_of(config_of({{"length", 9}}, {{"max_length", 24}})), 24);
  // lm has the length of segments, of lines that are cut, or of made-up sentences.
  EXPECT_EQ(
      tokens_of(config_of({{"protocol", "stream"}, {"stream_length", 70}, {"max_tokens", 9}})), 70);
  EXPECT_EQ(tokens_of(config_of({{"protocol", "lines"}, {"stream_length", 70}, {"max_tokens", 9}})),
            9);
  EXPECT_EQ(tokens_of(config_of({{"length", 12}})), 12);
  // mt has the smaller one of two limits.
  EXPECT_EQ(tokens_of(config_of({{"length", 12}, {"max_tokens", 0}})), 12);
  EXPECT_EQ(tokens_of(config_of({{"length", 12}, {"max_tokens", 8}})), 8);
}

TEST(ModelShape, IsUnknownWhereNothingLimitsASequence) {
  EXPECT_FALSE(model_shape(config_of({{"protocol", "lines"}, {"max_tokens", 0}})));
  EXPECT_FALSE(model_shape({{"steps", 3}}));
}

TEST(ModelShape, HasTheRowsAndPredictionsOfABatch) {
  const Json text{{"length", 10}, {"vocabulary", 50}};
  EXPECT_EQ(model_shape(config_of(text))->predicted, 0);
  const auto masked =
      *model_shape(config_of(text, {{"max_predictions", 3}, {"vocabulary", {{"size", 300}}}}));
  EXPECT_EQ(masked.predicted, 4 * 3);
  EXPECT_EQ(masked.vocabulary, 300);
  Json config = config_of(text, {{"batch_tokens", 65}});
  config["model"]["encoder_layers"] = 3;
  const auto translation = *model_shape(config);
  EXPECT_EQ(translation.layers, 5);
  EXPECT_EQ(translation.cross_layers, 2);
  EXPECT_EQ(translation.rows, 6);
  EXPECT_EQ(translation.predicted, 60);
  EXPECT_EQ(translation.vocabulary, 50);
  config["batch_tokens"] = nullptr;
  EXPECT_EQ(model_shape(config)->rows, 4) << "batches of so many pairs";
}

}  // namespace
}  // namespace rethink
