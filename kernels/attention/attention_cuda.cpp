#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include "kernels/attention/attention_launch.h"
#include "kernels/attention/attention_ops.h"

namespace rethink {
namespace {

at::Tensor with_rows(const at::Tensor& tensor) {
  return tensor.stride(3) == 1 ? tensor : tensor.contiguous();
}

DeviceTensor on_device(const at::Tensor& tensor) {
  return {tensor.data_ptr(), tensor.stride(0), tensor.stride(1), tensor.stride(2)};
}

DeviceScope scope_of(const MaybeTensor& key_keep, const MaybeTensor& mask,
                     const MaybeTensor& bias) {
  const auto head_of = [](const at::Tensor& pairs) {
    return pairs.size(0) == 1 ? 0 : pairs.stride(0);
  };
  DeviceScope scope;
  if (key_keep) scope.key_keep = static_cast<const uint8_t*>(key_keep->const_data_ptr());
  if (mask) {
    scope.mask = mask->const_data_ptr<uint8_t>();
    scope.mask_head = head_of(*mask);
  }
  if (bias) {
    scope.bias = bias->const_data_ptr<float>();
    scope.bias_head = head_of(*bias);
  }
  return scope;
}

AttentionSizes sizes_of(const at::Tensor& query, const at::Tensor& key, const HeldRule& rule,
                        const DeviceScope& scope) {
  const auto dtype = query.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kBFloat16,
              "on CUDA query must be float32 or bfloat16, got ", dtype);
  return {rule->rule.as<float>(), query.size(0), query.size(1),
          query.size(2),          key.size(2),   static_cast<int>(query.size(3)),
          dtype == at::kBFloat16, scope,         c10::cuda::getCurrentCUDAStream().stream()};
}

void check_launch(const char* problem) {
  TORCH_CHECK(problem == nullptr, "attention on CUDA: ", problem);
}

std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& query, const at::Tensor& key,
                                           const at::Tensor& value, const MaybeTensor& key_keep,
                                           const MaybeTensor& mask, const MaybeTensor& bias,
                                           const HeldRule& rule) {
  const c10::cuda::CUDAGuard guard(query.device());
  const at::Tensor output = empty_joined(query);
  const at::Tensor statistics = at::empty({query.size(0), query.size(1), query.size(2), 2},
                                          query.options().dtype(at::kFloat));
  if (query.numel() == 0) return {output, statistics};
  const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                   value_rows = with_rows(value);
  AttentionForwardLaunch launch;
  launch.sizes = sizes_of(query, key, rule, scope_of(key_keep, mask, bias));
  launch.query = on_device(query_rows);
  launch.key = on_device(key_rows);
  launch.value = on_device(value_rows);
  launch.output = on_device(output);
  launch.statistics = statistics.data_ptr<float>();
  check_launch(launch_attention_forward(launch));
  return {output, statistics};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> backward(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& statistics, const MaybeTensor& key_keep,
    const MaybeTensor& mask, const MaybeTensor& bias, bool bias_grad, const HeldRule& rule) {
  const c10::cuda::CUDAGuard guard(query.device());
  const at::Tensor query_grad = empty_joined(query), key_grad = empty_joined(key),
                   value_grad = empty_joined(key);
  const at::Tensor heads_bias =
      at::zeros({bias_grad ? query.size(1) : 0, query.size(2), key.size(2)}, statistics.options());
  // Without keys the output is zeros and has no gradient.
  if (key.numel() == 0) query_grad.zero_();
  if (query.numel() == 0) key_grad.zero_(), value_grad.zero_();
  if (query.numel() > 0 && key.numel() > 0) {
    const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                     value_rows = with_rows(value);
    const at::Tensor grad_rows = with_rows(grad);
    const at::Tensor weighted =
        at::empty({query.size(0), query.size(1), query.size(2)}, statistics.options());
    AttentionBackwardLaunch launch;
    launch.sizes = sizes_of(query, key, rule, scope_of(key_keep, mask, bias));
    launch.query = on_device(query_rows);
    launch.key = on_device(key_rows);
    launch.value = on_device(value_rows);
    launch.output = on_device(output);
    launch.output_grad = on_device(grad_rows);
    launch.query_grad = on_device(query_grad);
    launch.key_grad = on_device(key_grad);
    launch.value_grad = on_device(value_grad);
    launch.bias_grad = bias_grad ? heads_bias.data_ptr<float>() : nullptr;
    launch.statistics = statistics.data_ptr<float>();
    launch.weighted = weighted.data_ptr<float>();
    check_launch(launch_attention_backward(launch));
  }
  const bool shared = bias_grad && bias->size(0) == 1;
  return {query_grad, key_grad, value_grad,
          shared ? heads_bias.sum(0, /*keepdim=*/true) : heads_bias};
}

TORCH_LIBRARY_IMPL(rethink, CUDA, m) {
  m.impl("attention_forward", forward);
  m.impl("attention_backward", backward);
}

}  // namespace
}  // namespace rethink
