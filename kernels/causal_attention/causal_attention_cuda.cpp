#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include "kernels/causal_attention/causal_attention_launch.h"
#include "kernels/causal_attention/causal_attention_ops.h"
#include "kernels/philox_dropout/keep.h"

namespace rethink {
namespace {

at::Tensor with_rows(const at::Tensor& tensor) {
  return tensor.stride(3) == 1 ? tensor : tensor.contiguous();
}

/// float [B,H,T,E] in memory as [B,T,H,E]: what joining the heads again takes for free.
at::Tensor empty_joined(const at::Tensor& like) {
  return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, like.options())
      .transpose(1, 2);
}

DeviceTensor on_device(const at::Tensor& tensor) {
  return {tensor.data_ptr(), tensor.stride(0), tensor.stride(1), tensor.stride(2)};
}

CausalAttentionSizes sizes_of(const at::Tensor& query, double scale, double diagonal_rate,
                              bool diagonal_masked, double dropout, PhiloxKey key) {
  const auto dtype = query.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kBFloat16,
              "on CUDA query must be float32 or bfloat16, got ", dtype);
  const KeepRule keep = keep_rule(dropout, key);
  CausalAttentionSizes sizes;
  sizes.batch = query.size(0);
  sizes.heads = query.size(1);
  sizes.tokens = query.size(2);
  sizes.width = static_cast<int>(query.size(3));
  sizes.bfloat16 = dtype == at::kBFloat16;
  sizes.scale = static_cast<float>(scale);
  sizes.diagonal_rate = static_cast<float>(diagonal_rate);
  sizes.diagonal_masked = diagonal_masked;
  sizes.key = key;
  sizes.keep_threshold = keep.threshold;
  sizes.keep_scale = static_cast<float>(keep.scale);
  sizes.stream = c10::cuda::getCurrentCUDAStream().stream();
  return sizes;
}

void check_launch(const char* problem) {
  TORCH_CHECK(problem == nullptr, "causal_attention on CUDA: ", problem);
}

std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& query, const at::Tensor& key,
                                           const at::Tensor& value, double scale,
                                           double diagonal_rate, bool diagonal_masked,
                                           double dropout, int64_t seed, int64_t offset) {
  const c10::cuda::CUDAGuard guard(query.device());
  const at::Tensor output = empty_joined(query);
  const at::Tensor logsumexp =
      at::empty({query.size(0), query.size(1), query.size(2)}, query.options().dtype(at::kFloat));
  if (query.numel() == 0) return {output, logsumexp};
  const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                   value_rows = with_rows(value);
  CausalAttentionForwardLaunch launch;
  launch.sizes = sizes_of(query, scale, diagonal_rate, diagonal_masked, dropout,
                          {static_cast<uint64_t>(seed), static_cast<uint64_t>(offset)});
  launch.query = on_device(query_rows);
  launch.key = on_device(key_rows);
  launch.value = on_device(value_rows);
  launch.output = on_device(output);
  launch.logsumexp = logsumexp.data_ptr<float>();
  check_launch(launch_causal_attention_forward(launch));
  return {output, logsumexp};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> backward(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& logsumexp, double scale, double diagonal_rate,
    bool diagonal_masked, double dropout, int64_t seed, int64_t offset) {
  const c10::cuda::CUDAGuard guard(query.device());
  const at::Tensor query_grad = empty_joined(query), key_grad = empty_joined(query),
                   value_grad = empty_joined(query);
  if (query.numel() == 0) return {query_grad, key_grad, value_grad};
  const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                   value_rows = with_rows(value);
  const at::Tensor grad_rows = with_rows(grad), weighted = at::empty_like(logsumexp);
  CausalAttentionBackwardLaunch launch;
  launch.sizes = sizes_of(query, scale, diagonal_rate, diagonal_masked, dropout,
                          {static_cast<uint64_t>(seed), static_cast<uint64_t>(offset)});
  launch.query = on_device(query_rows);
  launch.key = on_device(key_rows);
  launch.value = on_device(value_rows);
  launch.output = on_device(output);
  launch.output_grad = on_device(grad_rows);
  launch.query_grad = on_device(query_grad);
  launch.key_grad = on_device(key_grad);
  launch.value_grad = on_device(value_grad);
  launch.logsumexp = logsumexp.data_ptr<float>();
  launch.weighted = weighted.data_ptr<float>();
  check_launch(launch_causal_attention_backward(launch));
  return {query_grad, key_grad, value_grad};
}

TORCH_LIBRARY_IMPL(rethink, CUDA, m) {
  m.impl("causal_attention_forward", forward);
  m.impl("causal_attention_backward", backward);
}

}  // namespace
}  // namespace rethink
