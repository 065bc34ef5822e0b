#include "experiments/attempt/run_attempt.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "core/json.h"
#include "tests/support/attempt_store.h"

namespace rethink {
namespace {

/// Begins an attempt in a separate process, and prints the GPUs that it may use on standard error.
[[noreturn]] void tell_visible_gpus(const AttemptRequest& request) {
  run_attempt(request, [] {
    const char* visible = getenv("CUDA_VISIBLE_DEVICES");
    std::fprintf(stderr, "visible: %s.", visible ? visible : "all");
    _exit(0);
  });
  _exit(1);
}

TEST(RunAttempt, SeesTheGpuThatItWasGivenAndNoOther) {
  const AttemptStore store;
  const Trial trial = store.add("noop", Json::object(), 0);
  AttemptRequest request = store.request(trial);
  request.gpu = "GPU-11111111-2222-3333-4444-555555555555";
  const auto exits_well = testing::ExitedWithCode(0);
  EXPECT_EXIT(tell_visible_gpus(request), exits_well, "visible: " + *request.gpu + "\\.");
  // The driver's own variable must not change an attempt's GPUs.
  setenv("CUDA_VISIBLE_DEVICES", "1,0", /*overwrite=*/1);
  EXPECT_EXIT(tell_visible_gpus(request), exits_well, "visible: " + *request.gpu + "\\.");
  request.gpu.reset();
  EXPECT_EXIT(tell_visible_gpus(request), exits_well, "visible: 1,0\\.");
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EXIT(tell_visible_gpus(request), exits_well, "visible: all\\.");
}

TEST(RunAttempt, EndsAsOutOfMemoryThoughItHadNotBegun) {
  const AttemptStore store;
  const AttemptRequest request = store.request(store.add("noop", Json::object(), 0));
  const auto run_out = [&] {
    _exit(static_cast<int>(run_attempt(request, [] { throw std::bad_alloc(); })));
  };
  EXPECT_EXIT(run_out(), testing::ExitedWithCode(static_cast<int>(AttemptExit::oom)),
              "out of memory");
}

}  // namespace
}  // namespace rethink
