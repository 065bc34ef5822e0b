#include "experiments/train/device/device.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "models/tensors/linear.h"

namespace rethink {
namespace {

/// Returns the resident memory of this process [MB].
double resident_mb() {
  int64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Multiplies matrices of `count` new heights, from `first` on.
void multiply(int64_t first, int64_t count) {
  const at::Tensor weight = at::ones({256, 192});
  for (int64_t rows = first; rows < first + count; ++rows) product(at::ones({rows, 192}), weight);
}

/// Ends the process with exit code 0 if its memory did not grow.
[[noreturn]] void meet_many_shapes() {
  constexpr double kMostGrowthMb = 150;  // grows by 640 if one of the two caches keeps all entries
  prepare_device(Runtime(), "float32");
  multiply(200, 100);
  const double before_mb = resident_mb();
  multiply(300, 800);
  const double growth_mb = resident_mb() - before_mb;
  std::fprintf(stderr, "grew by %.1f MB\n", growth_mb);
  _exit(growth_mb < kMostGrowthMb ? 0 : 1);
}

// Runs in a new process, whose oneDNN caches are empty.
TEST(Device, RecognisesEveryOutOfMemoryError) {
  const auto is_out_of_memory = [](const std::string& text) {
    try {
      rethrow_if_out_of_memory(c10::Error(c10::SourceLocation(), text));
    } catch (const OutOfMemoryError&) {
      return true;
    }
    return false;
  };
  for (const char* text : {"DefaultCPUAllocator: can't allocate memory: you tried to allocate 8",
                           "CUDA error: out of memory", "attention on CUDA: out of memory",
                           "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"})
    EXPECT_TRUE(is_out_of_memory(text)) << text;
  EXPECT_FALSE(is_out_of_memory("CUDA error: an illegal memory access was encountered"));
}

TEST(DeviceDeathTest, ReportsAMissingPluginInsteadOfAMissingGpu) {
  const auto ask = [] {
    Runtime runtime;
    runtime.device = "cuda";
    try {
      prepare_device(runtime, "float32");
    } catch (const TrialError& error) {
      std::fprintf(stderr, "%s", error.what());
      _exit(3);
    }
    _exit(0);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(3), "this process has no CUDA plug-in");
}

TEST(DeviceDeathTest, MemoryDoesNotGrowWithTheShapesOfBatches) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep what is freed";
#endif
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(meet_many_shapes(), testing::ExitedWithCode(0), "grew by");
}

}  // namespace
}  // namespace rethink
