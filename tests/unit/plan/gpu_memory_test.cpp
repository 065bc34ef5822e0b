#include "experiments/plan/gpu_memory.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

Json bert_base(int64_t batch, int64_t tokens, const char* precision) {
  return {{"model", {{"layers", 12}, {"d_model", 768}, {"heads", 12}, {"ffn", 3072}}},
          {"batch", batch},
          {"max_length", tokens},
          {"max_predictions", 20},
          {"vocabulary", {{"size", 30522}}},
          {"precision", precision}};
}

constexpr double kGibibyte = 1 << 30;

/// BERT-base in mixed precision at 32 x 128 is known to fit 8 GiB, at 32 x 512 to need some 20.
TEST(GpuMemory, IsRightForKnownModels) {
  const double small = estimated_gpu_memory(bert_base(32, 128, "bfloat16"), false)->bytes;
  EXPECT_GT(small, 3 * kGibibyte);
  EXPECT_LT(small, 8 * kGibibyte);
  const double large = estimated_gpu_memory(bert_base(32, 512, "bfloat16"), false)->bytes;
  EXPECT_GT(large, 8 * kGibibyte);
  EXPECT_LT(large, 24 * kGibibyte);
  EXPECT_GT(estimated_gpu_memory(bert_base(32, 512, "float32"), false)->bytes, 1.3 * large);
}

TEST(GpuMemory, CountsTheGradientOfLearnedScores) {
  const auto memory = estimated_gpu_memory(bert_base(32, 512, "bfloat16"), true);
  EXPECT_DOUBLE_EQ(memory->scores_gradient, 2.0 * 32 * 12 * 512 * 512);
  EXPECT_DOUBLE_EQ(memory->bytes - memory->scores_gradient,
                   estimated_gpu_memory(bert_base(32, 512, "bfloat16"), false)->bytes);
}

TEST(GpuMemory, IsUnknownWithoutAShape) {
  Json config = bert_base(32, 128, "float32");
  config.erase("max_length");
  EXPECT_FALSE(estimated_gpu_memory(config, false));
  EXPECT_FALSE(estimated_gpu_memory({{"steps", 3}}, false));
}

}  // namespace
}  // namespace rethink
