#include "models/tensors/random.h"

#include <ATen/ATen.h>

#include "core/files/hash.h"
#include "kernels/philox_uniform/philox_uniform.h"

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

at::Tensor logistic_noise(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device) {
  return philox_uniform(sizes, key, device).logit_();
}

}  // namespace rethink
