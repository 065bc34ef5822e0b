#include "models/random.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "core/system/hash.h"

namespace rethink {

void seed_for(uint64_t seed, const std::string& name) {
  const std::string digits = sha256_hex(std::to_string(seed) + "\n" + name).substr(0, 16);
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(std::stoull(digits, nullptr, 16));
}

at::Tensor seeded_uniform(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                          double bound) {
  seed_for(seed, name);
  return at::empty(sizes, at::kFloat).uniform_(-bound, bound);
}

at::Tensor seeded_normal(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                         double deviation) {
  seed_for(seed, name);
  return at::empty(sizes, at::kFloat).normal_(0.0, deviation);
}

namespace {

/// The middle of one of 2^23 equal parts of (0, 1), exact in float32: never 0 or 1.
float open_uniform(uint32_t word) {
  return (static_cast<float>(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

}  // namespace

at::Tensor logistic_noise(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device) {
  // A copy from pageable memory waits for all that the device has still to do.
  const at::Tensor uniform =
      at::empty(sizes, at::TensorOptions().dtype(at::kFloat).pinned_memory(device.is_cuda()));
  float* value = uniform.mutable_data_ptr<float>();
  const int64_t count = uniform.numel(), blocks = (count + 3) / 4;
  at::parallel_for(0, blocks, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const PhiloxBlock random = philox(key, static_cast<uint64_t>(block));
      for (int64_t i = 0; i < 4 && 4 * block + i < count; ++i)
        value[4 * block + i] = open_uniform(random.word[i]);
    }
  });
  return uniform.logit_().to(device, /*non_blocking=*/true);
}

}  // namespace rethink
