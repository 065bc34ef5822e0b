#include "kernels/attention/attention_shared_memory.h"

#include <gtest/gtest.h>

#include <string>

namespace rethink::attention_tiles {
namespace {

// Shared memory of a block, as listed in NVIDIA's CUDA programming guide in its table of compute capabilities.
constexpr int64_t kOfA100 = 163 << 10, kOfRtx30And40 = 99 << 10, kOfH100 = 227 << 10;

TEST(AttentionSharedMemory, BlocksOwnFewerRowsWhereWideHeadsNeedIt) {
  struct Row {
    int width;
    int64_t limit;
    int owned;
  };
  for (const Row& row :
       {Row{64, kOfRtx30And40, 16}, Row{249, kOfRtx30And40, 16}, Row{250, kOfRtx30And40, 8},
        Row{300, kOfRtx30And40, 8}, Row{512, kOfRtx30And40, 4}, Row{300, kOfA100, 16},
        Row{420, kOfA100, 16}, Row{422, kOfA100, 8}, Row{512, kOfA100, 8}, Row{512, kOfH100, 16}}) {
    EXPECT_EQ(rows_that_fit(row.width, kKeyGradMemory, row.limit), row.owned)
        << row.width << " of " << row.limit;
  }
}

TEST(AttentionSharedMemory, EveryWidthFitsEveryGpuThatTheKernelsAreCompiledFor) {
  for (const KernelMemory& memory :
       {kForwardMemory, kQueryGradMemory, kKeyGradMemory, kBiasGradMemory}) {
    for (int width = 1; width <= 512; ++width)
      EXPECT_GT(rows_that_fit(width, memory, kOfRtx30And40), 0) << width;
  }
}

TEST(AttentionSharedMemory, SaysWhereNothingFits) {
  EXPECT_EQ(rows_that_fit(512, kKeyGradMemory, 48 << 10), 0);
}

}  // namespace
}  // namespace rethink::attention_tiles
