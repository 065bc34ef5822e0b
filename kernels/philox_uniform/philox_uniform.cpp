#include "kernels/philox_uniform/philox_uniform.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_uniform/open_uniform.h"

namespace rethink {
namespace {

constexpr int64_t kBlocksOfThread = 4096;

using Fill = at::Tensor&(at::Tensor& tensor, int64_t seed, int64_t stream);

at::Tensor& fill_on_cpu(at::Tensor& tensor, int64_t seed, int64_t stream) {
  const PhiloxKey key = operator_key(seed, stream);
  float* value = tensor.mutable_data_ptr<float>();
  const int64_t count = tensor.numel(), blocks = (count + kUniformsOfBlock - 1) / kUniformsOfBlock;
  at::parallel_for(0, blocks, kBlocksOfThread, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const PhiloxBlock random = philox(key, static_cast<uint64_t>(block));
      const int64_t first = block * kUniformsOfBlock;
      for (int64_t i = 0; i < kUniformsOfBlock && first + i < count; ++i)
        value[first + i] = open_uniform(random.word[i]);
    }
  });
  return tensor;
}

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def("philox_uniform_(Tensor(a!) tensor, int seed, int stream) -> Tensor(a!)");
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("philox_uniform_", fill_on_cpu);
}

}  // namespace

at::Tensor philox_uniform(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device) {
  static const auto fill =
      c10::Dispatcher::singleton().findSchemaOrThrow("rethink::philox_uniform_", "").typed<Fill>();
  const at::AutoDispatchBelowADInplaceOrView below;
  at::Tensor numbers = at::empty(sizes, at::TensorOptions().dtype(at::kFloat).device(device));
  fill.call(numbers, static_cast<int64_t>(key.seed), static_cast<int64_t>(key.stream));
  return numbers;
}

}  // namespace rethink
