// LibTorch's memory-efficient attention in plain math, with the checks of the CUDA kernel. Rules
// and messages are those of LibTorch 2.11: `check_supported` of kernel_forward.h and
// kernel_backward.h in include/ATen/native/transformers/cuda/mem_eff_attention, and attention.cu
// and attention_backward.cu of its sources. Widths that need the slower kernel for unaligned rows
// are refused too, since a caller should pad them.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <torch/library.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <tuple>

#include "tests/fake_cuda/host_view.h"
#include "tests/fake_cuda/report.h"

namespace rethink::fake_cuda {
namespace {

using at::Tensor;
using MaybeTensor = std::optional<Tensor>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kRowsOfLse = 32;  // the log-sum-exp's rows are padded to a multiple of these

int64_t rounded_up(int64_t size, int64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

/// Number of elements in 128 bits.
int64_t alignment_of(at::ScalarType dtype) {
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kBFloat16 || dtype == at::kHalf,
              "efficient attention takes float, half and bfloat16, got ", dtype);
  return 16 / static_cast<int64_t>(c10::elementSize(dtype));
}

/// Requires: `tensor` is [B,H,Q|K,E] or [B,H,Q,K]. The stride of a dimension of size 1 does not
/// count, except for rows of queries, keys and values.
void check_strides(const char* name, const Tensor& tensor, int64_t alignment, bool are_heads) {
  TORCH_CHECK(tensor.is_cuda(), name, " must be a CUDA tensor");
  TORCH_CHECK(tensor.stride(3) == 1, name, ": last dimension must be contiguous");
  TORCH_CHECK(reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % alignment == 0, name,
              "_ptr is not correctly aligned");
  const std::array<const char*, 3> letters = {"strideB", "strideH", "strideM"};
  for (int64_t dim = 0; dim < 3; ++dim) {
    const bool counts = tensor.size(dim) > 1 || (are_heads && dim == 2);
    TORCH_CHECK(!counts || tensor.stride(dim) % alignment == 0, name, " is not correctly aligned (",
                letters[static_cast<size_t>(dim)], "): got ", tensor.stride(dim),
                ", which should be a multiple of ", alignment);
  }
}

void check_inputs(const Tensor& query, const Tensor& key, const Tensor& value,
                  const MaybeTensor& bias) {
  TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4, "expected [B,H,T,E]");
  TORCH_CHECK(query.numel() > 0 && key.numel() > 0, "efficient attention takes no empty tensors");
  for (const int64_t dim : {0, 1}) {
    TORCH_CHECK(key.size(dim) == query.size(dim) && value.size(dim) == query.size(dim),
                "key and value must have the batch and the heads of query");
  }
  TORCH_CHECK(key.size(2) == value.size(2) && key.size(3) == query.size(3),
              "key must have the length of value and the width of query");
  const auto dtype = query.scalar_type();
  TORCH_CHECK(key.scalar_type() == dtype && value.scalar_type() == dtype,
              "query, key and value must have one dtype");
  const int64_t alignment = alignment_of(dtype);
  check_strides("query", query, alignment, /*are_heads=*/true);
  check_strides("key", key, alignment, /*are_heads=*/true);
  check_strides("value", value, alignment, /*are_heads=*/true);
  if (!bias) return;
  TORCH_CHECK(bias->scalar_type() == dtype,
              "invalid dtype for bias - should match query's dtype, got ", bias->scalar_type());
  TORCH_CHECK(bias->dim() == 4, "Bias expected in BMHK format");
  const std::array<int64_t, 4> sizes = {query.size(0), query.size(1), query.size(2), key.size(2)};
  TORCH_CHECK(bias->sizes() == at::IntArrayRef(sizes), "attn_bias: wrong shape, got ",
              bias->sizes(), ", expected ", at::IntArrayRef(sizes));
  check_strides("attn_bias", *bias, alignment, /*are_heads=*/false);
}

int64_t bytes_of_all(std::initializer_list<Tensor> tensors) {
  int64_t bytes = 0;
  for (const Tensor& tensor : tensors) bytes += bytes_of(tensor);
  return bytes;
}

/// The kernel keeps no scores in memory: it has two products forward and five backward.
void report_attention(const std::string& name, int64_t products, const Tensor& query,
                      const Tensor& key, int64_t bytes) {
  report("operator " + name);
  report_work(name, {bytes, 2 * products * query.numel() * key.size(2)}, query.scalar_type());
}

Tensor as_float(const Tensor& tensor) {
  return host_view(tensor).to(at::kFloat);
}

/// Returns scores, f32 [B,H,Q,K], -inf for hidden keys.
Tensor scores_of(const Tensor& query, const Tensor& key, const MaybeTensor& bias, bool is_causal,
                 std::optional<double> scale) {
  const double factor = scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(3))));
  Tensor scores = at::matmul(as_float(query), as_float(key).transpose(2, 3)) * factor;
  if (bias) scores = scores + as_float(*bias);
  if (!is_causal) return scores;
  const Tensor later = at::ones({query.size(2), key.size(2)}, at::kBool).triu(1);
  return scores.masked_fill(later, -kInfinity);
}

/// Returns dropout's factors, f32: 0, or 1 / (1 - p) for a kept weight. Equal seeds give equal
/// factors.
Tensor kept_weights(const Tensor& weights, double dropout, int64_t seed) {
  if (dropout == 0) return at::ones_like(weights);
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(seed));
  const Tensor uniform = at::rand(weights.sizes(), generator, at::TensorOptions(at::kFloat));
  return uniform.ge(dropout).to(at::kFloat) / (1 - dropout);
}

/// The kernel returns [B,H,T,E] with the memory layout [B,T,H,E].
Tensor in_the_kernels_layout(const Tensor& result, const Tensor& like) {
  return on_device(result.transpose(1, 2).contiguous().to(like.scalar_type()), like.device())
      .transpose(1, 2);
}

int64_t drawn_seed(const Tensor& query) {
  at::Generator generator = at::globalContext().defaultGenerator(query.device());
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return static_cast<int64_t>(at::check_generator<at::CPUGeneratorImpl>(generator)->random64() >>
                              1);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> forward(const Tensor& query, const Tensor& key,
                                                   const Tensor& value, const MaybeTensor& bias,
                                                   bool compute_log_sumexp, double dropout,
                                                   bool is_causal, std::optional<double> scale) {
  check_inputs(query, key, value, bias);
  report_attention("aten::_scaled_dot_product_efficient_attention", 2, query, key,
                   bytes_of_all({query, key, value, bias.value_or(Tensor()), query}));
  const Tensor scores = scores_of(query, key, bias, is_causal, scale);
  // A query that sees no key gets zeros, and a log-sum-exp of 0.
  const Tensor highest = scores.amax(-1, /*keepdim=*/true);
  const Tensor shift = highest.masked_fill(highest == -kInfinity, 0.0);
  const Tensor powers = (scores - shift).exp();
  const Tensor sum = powers.sum(-1, /*keepdim=*/true);
  const Tensor divisor = sum.masked_fill(sum == 0, 1.0);
  const Tensor weights = powers / divisor;
  const int64_t seed = dropout == 0 ? 0 : drawn_seed(query);
  const Tensor output = at::matmul(weights * kept_weights(weights, dropout, seed), as_float(value));
  const int64_t rows = compute_log_sumexp ? rounded_up(query.size(2), kRowsOfLse) : 0;
  Tensor log_sum_exp = at::full({query.size(0), query.size(1), rows}, kInfinity, at::kFloat);
  if (compute_log_sumexp) {
    log_sum_exp.narrow(2, 0, query.size(2)).copy_((shift + divisor.log()).squeeze(3));
  }
  // Seed and offset are host tensors, except in a graph.
  return {in_the_kernels_layout(output, query), on_device(log_sum_exp, query.device()),
          at::scalar_tensor(seed, at::kLong), at::scalar_tensor(0, at::kLong)};
}

/// An empty bias gradient whose rows begin at multiples of 16 elements, as the kernel writes it.
Tensor bias_gradient(const Tensor& gradient, const Tensor& bias) {
  std::vector<int64_t> sizes = bias.sizes().vec();
  sizes.back() = rounded_up(sizes.back(), 16);
  Tensor padded = at::zeros(sizes, at::kFloat);
  padded.narrow(3, 0, bias.size(3)).copy_(gradient);
  return on_device(padded.to(bias.scalar_type()), bias.device()).narrow(3, 0, bias.size(3));
}

std::tuple<Tensor, Tensor, Tensor, Tensor> backward(const Tensor& grad, const Tensor& query,
                                                    const Tensor& key, const Tensor& value,
                                                    const Tensor& given_bias, const Tensor& output,
                                                    const Tensor& log_sum_exp, const Tensor& seed,
                                                    const Tensor& /*offset*/, double dropout,
                                                    std::array<bool, 4> wanted, bool is_causal,
                                                    std::optional<double> scale) {
  if (!grad.defined()) return {};
  const MaybeTensor bias = given_bias.defined() ? MaybeTensor(given_bias) : std::nullopt;
  check_inputs(query, key, value, bias);
  TORCH_CHECK(grad.scalar_type() == query.scalar_type(), "grad must have the dtype of query");
  TORCH_CHECK(log_sum_exp.size(2) == rounded_up(query.size(2), kRowsOfLse),
              "the backward pass needs the log-sum-exp: call the forward one with "
              "compute_log_sumexp");
  TORCH_CHECK(!wanted[3] || bias, "there is no bias to give a gradient to");
  // The kernel takes a contiguous [B,T,H,E] and copies any other.
  if (!grad.transpose(1, 2).is_contiguous()) report("copy of an output's gradient");
  report_attention(
      "aten::_scaled_dot_product_efficient_attention_backward", 5, query, key,
      bytes_of_all({grad, output, query, key, value, given_bias}) +
          bytes_of_all({query, key, value}) +
          (wanted[3] ? bias->numel() : 0) * static_cast<int64_t>(query.element_size()));
  const Tensor lse = host_view(log_sum_exp).narrow(2, 0, query.size(2)).unsqueeze(3);
  const Tensor weights = (scores_of(query, key, bias, is_causal, scale) - lse).exp();
  const Tensor kept = kept_weights(weights, dropout, seed.item<int64_t>());
  const Tensor grad_host = as_float(grad);
  const Tensor weight_grad = at::matmul(grad_host, as_float(value).transpose(2, 3)) * kept;
  const Tensor row_sum = (grad_host * as_float(output)).sum(-1, /*keepdim=*/true);
  const Tensor score_grad = weights * (weight_grad - row_sum);
  const double factor = scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(3))));
  return {
      in_the_kernels_layout(at::matmul(score_grad, as_float(key)) * factor, query),
      in_the_kernels_layout(at::matmul(score_grad.transpose(2, 3), as_float(query)) * factor, key),
      in_the_kernels_layout(at::matmul((weights * kept).transpose(2, 3), grad_host), value),
      wanted[3] ? bias_gradient(score_grad, *bias) : Tensor()};
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_scaled_dot_product_efficient_attention", forward);
  m.impl("_scaled_dot_product_efficient_attention_backward", backward);
}

}  // namespace
}  // namespace rethink::fake_cuda
