#include <ATen/ATen.h>
#include <torch/library.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/residual_layer_norm/residual_layer_norm_rows.h"
#include "kernels/simd/isa.h"
#include "kernels/simd/parts.h"
#include "kernels/simd/scratch.h"

namespace rethink {
namespace {

const NormKernels& norm_kernels() {
  static const NormKernels& picked =
      pick_isa(baseline::norm_kernels, avx2::norm_kernels, avx512::norm_kernels);
  return picked;
}

void run_norm(const NormRule& rule, const NormForward<float>& call) {
  norm_kernels().forward_float(rule, call);
}
void run_norm(const NormRule& rule, const NormForward<double>& call) {
  norm_kernels().forward_double(rule, call);
}
void run_norm(const NormRule& rule, const NormBackward<float>& call) {
  norm_kernels().backward_float(rule, call);
}
void run_norm(const NormRule& rule, const NormBackward<double>& call) {
  norm_kernels().backward_double(rule, call);
}

NormRule rule_of(int64_t columns, double dropout, double epsilon, int64_t seed, int64_t stream) {
  const KeepRule keep =
      keep_rule(dropout, {static_cast<uint64_t>(seed), static_cast<uint64_t>(stream)});
  return {columns, epsilon, keep.key, keep.threshold, keep.scale};
}

uint16_t* bits_of(const NormRule& rule) {
  return thread_scratch<uint16_t>((rule.columns / 128 + 2) * 128);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_forward(
    const at::Tensor& input, const at::Tensor& residual, const at::Tensor& weight,
    const at::Tensor& bias, double dropout, double epsilon, int64_t seed, int64_t stream) {
  const int64_t columns = residual.size(-1), rows = residual.numel() / columns;
  const NormRule rule = rule_of(columns, dropout, epsilon, seed, stream);
  const at::Tensor in = input.contiguous(), old = residual.contiguous(),
                   scale = weight.contiguous();
  const at::Tensor shift = bias.contiguous(),
                   output = at::empty(residual.sizes(), residual.options());
  const at::Tensor sum = at::empty_like(output), mean = at::empty({rows}, residual.options());
  const at::Tensor inverse = at::empty_like(mean);
  AT_DISPATCH_FLOATING_TYPES(residual.scalar_type(), "residual_layer_norm", [&] {
    using T = scalar_t;
    over_parts(rows, [&](int64_t, int64_t begin, int64_t end) {
      run_norm(rule, NormForward<T>{in.data_ptr<T>(), old.data_ptr<T>(), scale.data_ptr<T>(),
                                    shift.data_ptr<T>(), output.data_ptr<T>(), sum.data_ptr<T>(),
                                    mean.data_ptr<T>(), inverse.data_ptr<T>(), begin, end,
                                    bits_of(rule)});
    });
  });
  return {output, sum, mean, inverse};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_backward(
    const at::Tensor& grad, const at::Tensor& sum, const at::Tensor& mean,
    const at::Tensor& inverse, const at::Tensor& weight, double dropout, int64_t seed,
    int64_t stream) {
  const int64_t columns = sum.size(-1), rows = sum.numel() / columns;
  const NormRule rule = rule_of(columns, dropout, 0.0, seed, stream);
  const at::Tensor upstream = grad.contiguous(), scale = weight.contiguous();
  const at::Tensor residual_grad = at::empty_like(sum);
  const at::Tensor input_grad = rule.keep_threshold == 0 ? residual_grad : at::empty_like(sum);
  const at::Tensor weight_parts = at::empty({kParts, columns}, sum.options());
  const at::Tensor bias_parts = at::empty({kParts, columns}, sum.options());
  AT_DISPATCH_FLOATING_TYPES(sum.scalar_type(), "residual_layer_norm", [&] {
    using T = scalar_t;
    over_parts(rows, [&](int64_t part, int64_t begin, int64_t end) {
      run_norm(rule, NormBackward<T>{
                         upstream.data_ptr<T>(), sum.data_ptr<T>(), mean.data_ptr<T>(),
                         inverse.data_ptr<T>(), scale.data_ptr<T>(), input_grad.data_ptr<T>(),
                         residual_grad.data_ptr<T>(), weight_parts.data_ptr<T>() + part * columns,
                         bias_parts.data_ptr<T>() + part * columns, begin, end, bits_of(rule)});
    });
  });
  return {input_grad, residual_grad, weight_parts.sum(0), bias_parts.sum(0)};
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("residual_layer_norm_forward", norm_forward);
  m.impl("residual_layer_norm_backward", norm_backward);
}

}  // namespace
}  // namespace rethink
