#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_uniform/philox_uniform_launch.h"

namespace rethink {
namespace {

at::Tensor& fill_on_cuda(at::Tensor& tensor, int64_t seed, int64_t stream) {
  const c10::cuda::CUDAGuard guard(tensor.device());
  if (tensor.numel() == 0) return tensor;
  const char* problem =
      launch_philox_uniform({tensor.data_ptr<float>(), tensor.numel(), operator_key(seed, stream),
                             c10::cuda::getCurrentCUDAStream().stream()});
  TORCH_CHECK(problem == nullptr, "philox_uniform on CUDA: ", problem);
  return tensor;
}

TORCH_LIBRARY_IMPL(rethink, CUDA, m) {
  m.impl("philox_uniform_", fill_on_cuda);
}

}  // namespace
}  // namespace rethink
