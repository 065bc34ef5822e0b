#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/residual_layer_norm/residual_layer_norm_launch.h"

namespace rethink {
namespace {

constexpr uintptr_t kPacketBytes = 16;  // bytes of the widest packet (float32)

bool is_aligned(const at::Tensor& tensor) {
  return !tensor.defined() ||
         reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % kPacketBytes == 0;
}

/// `like` is [...,columns] with at least one row. Each of `tensors` may be undefined.
NormLaunch norm_launch(const at::Tensor& like, bool input_is_bfloat16, double dropout,
                       PhiloxKey key, std::initializer_list<at::Tensor> tensors) {
  const int64_t columns = like.size(-1);
  TORCH_CHECK(like.scalar_type() == at::kFloat,
              "on CUDA residual_layer_norm's residual must be float32, got ", like.scalar_type());
  TORCH_CHECK(columns <= kWidestNorm, "on CUDA residual_layer_norm takes at most ", kWidestNorm,
              " columns, got ", columns);
  const KeepRule rule = keep_rule(dropout, key);
  return {.rows = like.numel() / columns,
          .columns = columns,
          .input_is_bfloat16 = input_is_bfloat16,
          .in_packets = columns % 4 == 0 && std::ranges::all_of(tensors, is_aligned),
          .key = rule.key,
          .threshold = rule.threshold,
          .scale = static_cast<float>(rule.scale),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

at::Tensor contiguous(const std::optional<at::Tensor>& tensor) {
  return tensor && tensor->defined() ? tensor->contiguous() : at::Tensor();
}

void* address_of(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr() : nullptr;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_forward_cuda(
    const at::Tensor& input, const std::optional<at::Tensor>& input_bias,
    const at::Tensor& residual, const at::Tensor& weight, const at::Tensor& bias, double dropout,
    int64_t seed, int64_t stream, double epsilon, bool with_bfloat16) {
  const c10::cuda::CUDAGuard guard(residual.device());
  const at::Tensor in = input.contiguous(), added = contiguous(input_bias),
                   old = residual.contiguous(), scale = weight.contiguous(),
                   shift = bias.contiguous();
  const at::Tensor output = at::empty(residual.sizes(), residual.options()),
                   sum = at::empty_like(output);
  const at::Tensor bfloat16 =
      with_bfloat16 ? at::empty(residual.sizes(), residual.options().dtype(at::kBFloat16))
                    : at::Tensor();
  const at::Tensor mean = at::empty({residual.numel() / residual.size(-1)}, residual.options()),
                   inverse = at::empty_like(mean);
  NormForwardLaunch launch{
      .shared = norm_launch(residual, input.scalar_type() == at::kBFloat16, dropout,
                            operator_key(seed, stream),
                            {in, added, old, scale, shift, output, sum, bfloat16}),
      .input = in.const_data_ptr(),
      .input_bias = static_cast<const float*>(address_of(added)),
      .residual = old.const_data_ptr<float>(),
      .weight = scale.const_data_ptr<float>(),
      .bias = shift.const_data_ptr<float>(),
      .epsilon = static_cast<float>(epsilon),
      .output = output.data_ptr<float>(),
      .sum = sum.data_ptr<float>(),
      .mean = mean.data_ptr<float>(),
      .inverse = inverse.data_ptr<float>(),
      .bfloat16 = address_of(bfloat16)};
  if (launch.shared.rows > 0) {
    const char* problem = launch_norm_forward(launch);
    TORCH_CHECK(problem == nullptr, "residual_layer_norm on CUDA: ", problem);
  }
  return {output, bfloat16, sum, mean, inverse};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_backward_cuda(
    const std::optional<at::Tensor>& grad, const std::optional<at::Tensor>& bfloat16_grad,
    const at::Tensor& sum, const at::Tensor& mean, const at::Tensor& inverse,
    const at::Tensor& weight, double dropout, int64_t seed, int64_t stream, bool input_is_bfloat16,
    bool has_input_bias) {
  const c10::cuda::CUDAGuard guard(sum.device());
  const at::Tensor upstream = contiguous(grad), of_copy = contiguous(bfloat16_grad),
                   scale = weight.contiguous(), residual_grad = at::empty_like(sum);
  const PhiloxKey key = operator_key(seed, stream);
  const bool is_own = input_is_bfloat16 || keep_rule(dropout, key).threshold > 0;
  const at::Tensor input_grad =
      is_own ? at::empty(sum.sizes(),
                         sum.options().dtype(input_is_bfloat16 ? at::kBFloat16 : at::kFloat))
             : at::Tensor();
  const int64_t rows = mean.size(0), columns = sum.size(-1);
  const at::Tensor parts =
      at::empty({norm_parts(rows), has_input_bias ? 3 : 2, columns}, sum.options());
  NormBackwardLaunch launch{
      .shared = norm_launch(sum, input_is_bfloat16, dropout, key,
                            {upstream, of_copy, sum, scale, residual_grad, input_grad, parts}),
      .grad = static_cast<const float*>(address_of(upstream)),
      .bfloat16_grad = address_of(of_copy),
      .sum = sum.const_data_ptr<float>(),
      .mean = mean.const_data_ptr<float>(),
      .inverse = inverse.const_data_ptr<float>(),
      .weight = scale.const_data_ptr<float>(),
      .residual_grad = residual_grad.data_ptr<float>(),
      .input_grad = address_of(input_grad),
      .has_input_bias = has_input_bias,
      .parts = parts.data_ptr<float>(),
      .number_of_parts = parts.size(0)};
  if (launch.shared.rows > 0) {
    const char* problem = launch_norm_backward(launch);
    TORCH_CHECK(problem == nullptr, "residual_layer_norm on CUDA: ", problem);
  } else {
    parts.zero_();
  }
  const at::Tensor vectors = parts.sum(0);
  return {input_grad, residual_grad, vectors.select(0, 0), vectors.select(0, 1),
          has_input_bias ? vectors.select(0, 2) : at::Tensor()};
}

TORCH_LIBRARY_IMPL(rethink, CUDA, m) {
  m.impl("residual_layer_norm", norm_forward_cuda);
  m.impl("residual_layer_norm_backward", norm_backward_cuda);
}

}  // namespace
}  // namespace rethink
