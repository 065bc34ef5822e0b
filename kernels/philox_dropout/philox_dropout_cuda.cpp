#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_dropout/philox_dropout_launch.h"

namespace rethink {
namespace {

at::Tensor philox_dropout_cuda(const at::Tensor& input, double p, int64_t seed, int64_t stream) {
  const auto dtype = input.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kBFloat16,
              "on CUDA dropout's input must be float32 or bfloat16, got ", dtype);
  const c10::cuda::CUDAGuard guard(input.device());
  const at::Tensor contiguous = input.contiguous();
  const at::Tensor output = at::empty(input.sizes(), input.options());
  if (input.numel() == 0) return output;
  const KeepRule rule = keep_rule(p, operator_key(seed, stream));
  const int64_t columns = input.dim() == 0 ? 1 : input.size(-1);
  const char* problem = launch_philox_dropout(
      {contiguous.data_ptr(), output.data_ptr(), input.numel() / columns, columns,
       dtype == at::kBFloat16, rule.key, rule.threshold, static_cast<float>(rule.scale),
       c10::cuda::getCurrentCUDAStream().stream()});
  TORCH_CHECK(problem == nullptr, "philox_dropout on CUDA: ", problem);
  return output;
}

TORCH_LIBRARY_IMPL(rethink, CUDA, m) {
  m.impl("philox_dropout", philox_dropout_cuda);
}

}  // namespace
}  // namespace rethink
