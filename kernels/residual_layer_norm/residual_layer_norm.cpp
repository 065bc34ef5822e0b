#include "kernels/residual_layer_norm/residual_layer_norm.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/residual_layer_norm/residual_layer_norm_rows.h"
#include "kernels/simd/threads.h"

namespace rethink {

namespace {

void check_norm_inputs(const at::Tensor& input, const at::Tensor& residual,
                       const at::Tensor& weight, const at::Tensor& bias,
                       const ResidualLayerNormOptions& options) {
  const auto dtype = residual.scalar_type();
  TORCH_CHECK(residual.dim() >= 1 && residual.size(-1) >= 1, "residual must be [...,N], got ",
              residual.sizes());
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble,
              "residual must be float32 or float64, got ", dtype);
  TORCH_CHECK(input.sizes() == residual.sizes(), "input must be as residual, ", residual.sizes(),
              ", got ", input.sizes());
  for (const at::Tensor* vector : {&weight, &bias}) {
    TORCH_CHECK(vector->dim() == 1 && vector->size(0) == residual.size(-1) &&
                    vector->scalar_type() == dtype,
                "weight and bias must be [", residual.size(-1), "] of ", dtype, ", got ",
                vector->sizes(), " of ", vector->scalar_type());
  }
  for (const at::Tensor* other : {&input, &weight, &bias}) {
    TORCH_CHECK(other->device() == residual.device(), "all must be on ", residual.device(),
                " as residual, got ", other->device());
  }
  TORCH_CHECK(options.dropout >= 0 && options.dropout < 1, "dropout must be in [0, 1), got ",
              options.dropout);
}

NormRule rule_of(int64_t columns, const ResidualLayerNormOptions& options) {
  const KeepRule keep = keep_rule(options.dropout, options.key);
  return {columns, options.epsilon, keep.key, keep.threshold, keep.scale};
}

uint16_t* bits_of(const NormRule& rule) {
  return thread_scratch<uint16_t>((rule.columns / 128 + 2) * 128);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_forward(
    const at::Tensor& input, const at::Tensor& residual, const at::Tensor& weight,
    const at::Tensor& bias, const ResidualLayerNormOptions& options) {
  const int64_t columns = residual.size(-1), rows = residual.numel() / columns;
  const NormRule rule = rule_of(columns, options);
  const at::Tensor in = input.contiguous(), old = residual.contiguous(),
                   scale = weight.contiguous();
  const at::Tensor shift = bias.contiguous(),
                   output = at::empty(residual.sizes(), residual.options());
  const at::Tensor sum = at::empty_like(output), mean = at::empty({rows}, residual.options());
  const at::Tensor inverse = at::empty_like(mean);
  AT_DISPATCH_FLOATING_TYPES(residual.scalar_type(), "residual_layer_norm", [&] {
    using T = scalar_t;
    over_parts(rows, [&](int64_t, int64_t begin, int64_t end) {
      norm_kernels<T>().forward(
          rule, {in.data_ptr<T>(), old.data_ptr<T>(), scale.data_ptr<T>(), shift.data_ptr<T>(),
                 output.data_ptr<T>(), sum.data_ptr<T>(), mean.data_ptr<T>(), inverse.data_ptr<T>(),
                 begin, end, bits_of(rule)});
    });
  });
  return {output, sum, mean, inverse};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_backward(
    const at::Tensor& grad, const at::Tensor& sum, const at::Tensor& mean,
    const at::Tensor& inverse, const at::Tensor& weight, const ResidualLayerNormOptions& options) {
  const int64_t columns = sum.size(-1), rows = sum.numel() / columns;
  const NormRule rule = rule_of(columns, options);
  const at::Tensor upstream = grad.contiguous(), scale = weight.contiguous();
  const at::Tensor residual_grad = at::empty_like(sum);
  const at::Tensor input_grad = rule.keep_threshold == 0 ? residual_grad : at::empty_like(sum);
  const at::Tensor weight_parts = at::empty({kParts, columns}, sum.options());
  const at::Tensor bias_parts = at::empty({kParts, columns}, sum.options());
  AT_DISPATCH_FLOATING_TYPES(sum.scalar_type(), "residual_layer_norm", [&] {
    using T = scalar_t;
    over_parts(rows, [&](int64_t part, int64_t begin, int64_t end) {
      norm_kernels<T>().backward(
          rule, {upstream.data_ptr<T>(), sum.data_ptr<T>(), mean.data_ptr<T>(),
                 inverse.data_ptr<T>(), scale.data_ptr<T>(), input_grad.data_ptr<T>(),
                 residual_grad.data_ptr<T>(), weight_parts.data_ptr<T>() + part * columns,
                 bias_parts.data_ptr<T>() + part * columns, begin, end, bits_of(rule)});
    });
  });
  return {input_grad, residual_grad, weight_parts.sum(0), bias_parts.sum(0)};
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct ResidualLayerNorm : torch::autograd::Function<ResidualLayerNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& residual, const at::Tensor& weight,
                            const at::Tensor& bias, const ResidualLayerNormOptions& options) {
    at::AutoDispatchBelowADInplaceOrView below;
    const auto [output, sum, mean, inverse] = norm_forward(input, residual, weight, bias, options);
    context->save_for_backward({sum, mean, inverse, weight});
    context->saved_data["dropout"] = options.dropout;
    context->saved_data["seed"] = static_cast<int64_t>(options.key.seed);
    context->saved_data["stream"] = static_cast<int64_t>(options.key.stream);
    return output;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "residual_layer_norm has no second derivative");
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const ResidualLayerNormOptions options{
        .dropout = data["dropout"].toDouble(),
        .key = operator_key(data["seed"].toInt(), data["stream"].toInt())};
    const auto [input, residual, weight, bias] =
        norm_backward(grads[0], saved[0], saved[1], saved[2], saved[3], options);
    return {input, residual, weight, bias, {}};
  }
};

}  // namespace

at::Tensor residual_layer_norm(const at::Tensor& input, const at::Tensor& residual,
                               const at::Tensor& weight, const at::Tensor& bias,
                               const ResidualLayerNormOptions& options) {
  check_norm_inputs(input, residual, weight, bias, options);
  if (residual.is_cpu()) {
    return ResidualLayerNorm::apply(input.to(residual.scalar_type()), residual, weight, bias,
                                    options);
  }
  // The sum is the residual's type: an input in bfloat16 needs no copy.
  const at::Tensor sum = residual + philox_dropout(input, options.dropout, options.key);
  return at::layer_norm(sum, {residual.size(-1)}, weight, bias, options.epsilon);
}

}  // namespace rethink
