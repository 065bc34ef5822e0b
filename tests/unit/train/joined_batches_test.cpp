#include "experiments/train/batches/joined_batches.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

constexpr int64_t kGibibyte = 1 << 30;

PassShape bert_base(int64_t rows, int64_t tokens) {
  return {.layers = 12,
          .d_model = 768,
          .heads = 12,
          .ffn = 3072,
          .rows = rows,
          .tokens = tokens,
          .predicted = rows * 20,
          .vocabulary = 30522,
          .in_bfloat16 = true};
}

TEST(JoinedBatches, AreAsManyAsKeepAGpuBusy) {
  EXPECT_EQ(batches_that_fit(bert_base(32, 128), 2048, 80 * kGibibyte), 8);
  EXPECT_EQ(batches_that_fit(bert_base(256, 128), 256, 80 * kGibibyte), 1);
  EXPECT_EQ(batches_that_fit(bert_base(512, 512), 256, 80 * kGibibyte), 1) << "too large alone";
}

TEST(JoinedBatches, AreAtMostTheBatchesOfAStep) {
  EXPECT_EQ(batches_that_fit(bert_base(32, 128), 3, 80 * kGibibyte), 3);
}

TEST(JoinedBatches, FitAShareOfTheMemory) {
  const double bytes = activation_bytes(bert_base(32, 128));
  EXPECT_EQ(batches_that_fit(bert_base(32, 128), 2048, static_cast<int64_t>(bytes * 3.5 / 0.4)), 3);
  EXPECT_EQ(batches_that_fit(bert_base(32, 128), 2048, 1000), 1);
}

}  // namespace
}  // namespace rethink
