#include "experiments/plan/estimated_disk.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

/// BERT-base has 110 million weights, 440 MB in float32.
TEST(EstimatedDisk, CountsTheWeightsAndMomentsOfAKnownModel) {
  const Json bert_base{{"model", {{"layers", 12}, {"d_model", 768}, {"heads", 12}, {"ffn", 3072}}},
                       {"batch", 32},
                       {"max_length", 128},
                       {"vocabulary", {{"size", 30522}}}};
  const auto disk = estimated_disk(bert_base);
  ASSERT_TRUE(disk);
  EXPECT_NEAR(disk->weights, 437e6, 5e6);
  EXPECT_DOUBLE_EQ(disk->checkpoint, 3 * disk->weights);
}

TEST(EstimatedDisk, IsUnknownWithoutAShape) {
  EXPECT_FALSE(estimated_disk({{"steps", 3}}));
}

}  // namespace
}  // namespace rethink
