#include "kernels/residual_layer_norm/residual_layer_norm.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "kernels/philox_dropout/keep_rule.h"
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
  TORCH_CHECK(input.scalar_type() == dtype || input.scalar_type() == at::kBFloat16,
              "input must be ", dtype, " as residual, or bfloat16, got ", input.scalar_type());
  for (const at::Tensor* vector : {&weight, &bias, &options.input_bias}) {
    TORCH_CHECK(!vector->defined() || (vector->dim() == 1 && vector->size(0) == residual.size(-1) &&
                                       vector->scalar_type() == dtype),
                "weight, bias and input_bias must be [", residual.size(-1), "] of ", dtype,
                ", got ", vector->sizes(), " of ", vector->scalar_type());
  }
  for (const at::Tensor* other : {&input, &weight, &bias, &options.input_bias}) {
    TORCH_CHECK(!other->defined() || other->device() == residual.device(), "all must be on ",
                residual.device(), " as residual, got ", other->device());
  }
  TORCH_CHECK(options.dropout >= 0 && options.dropout < 1, "dropout must be in [0, 1), got ",
              options.dropout);
}

NormRule norm_rule(int64_t columns, double epsilon, double dropout, PhiloxKey key) {
  const KeepRule keep = keep_rule(dropout, key);
  return {columns, epsilon, keep.key, keep.threshold, keep.scale};
}

uint16_t* bits_of(const NormRule& rule) {
  return thread_scratch<uint16_t>((rule.columns / 128 + 2) * 128);
}

using NormForwardSignature = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& input, const std::optional<at::Tensor>& input_bias,
    const at::Tensor& residual, const at::Tensor& weight, const at::Tensor& bias, double dropout,
    int64_t seed, int64_t stream, double epsilon, bool with_bfloat16);
using NormBackwardSignature =
    std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>(
        const std::optional<at::Tensor>& grad, const std::optional<at::Tensor>& bfloat16_grad,
        const at::Tensor& sum, const at::Tensor& mean, const at::Tensor& inverse,
        const at::Tensor& weight, double dropout, int64_t seed, int64_t stream,
        bool input_is_bfloat16, bool has_input_bias);

/// Returns the output, its bfloat16 copy (undefined if not requested), and for the backward pass
/// residual + dropout(input + input_bias) [...,N], and the mean and 1 / sqrt(variance + epsilon) of
/// its rows [R].
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_forward_cpu(
    const at::Tensor& input, const std::optional<at::Tensor>& input_bias,
    const at::Tensor& residual, const at::Tensor& weight, const at::Tensor& bias, double dropout,
    int64_t seed, int64_t stream, double epsilon, bool with_bfloat16) {
  const int64_t columns = residual.size(-1), rows = residual.numel() / columns;
  const NormRule rule = norm_rule(columns, epsilon, dropout, operator_key(seed, stream));
  const at::Tensor whole = input.to(residual.scalar_type());
  const bool has_input_bias = input_bias && input_bias->defined();
  const at::Tensor in = (has_input_bias ? whole + *input_bias : whole).contiguous(),
                   old = residual.contiguous(), scale = weight.contiguous();
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
  return {output, with_bfloat16 ? output.to(at::kBFloat16) : at::Tensor(), sum, mean, inverse};
}

/// Returns the sum of the gradients of the output and of its copy, one of which may be undefined.
at::Tensor upstream_of(const std::optional<at::Tensor>& grad,
                       const std::optional<at::Tensor>& bfloat16_grad, at::ScalarType dtype) {
  const bool has_grad = grad && grad->defined(),
             has_copy = bfloat16_grad && bfloat16_grad->defined();
  if (!has_copy) return grad.value().contiguous();
  const at::Tensor of_copy = bfloat16_grad->to(dtype);
  return (has_grad ? *grad + of_copy : of_copy).contiguous();
}

/// Returns the gradients of input, residual, weight, bias and input_bias. The input's gradient is
/// undefined if it equals the residual's: without dropout and in the same dtype. The last is
/// undefined without `has_input_bias`.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> norm_backward_cpu(
    const std::optional<at::Tensor>& grad, const std::optional<at::Tensor>& bfloat16_grad,
    const at::Tensor& sum, const at::Tensor& mean, const at::Tensor& inverse,
    const at::Tensor& weight, double dropout, int64_t seed, int64_t stream, bool input_is_bfloat16,
    bool has_input_bias) {
  const int64_t columns = sum.size(-1), rows = sum.numel() / columns;
  const NormRule rule = norm_rule(columns, 0.0, dropout, operator_key(seed, stream));
  const at::Tensor upstream = upstream_of(grad, bfloat16_grad, sum.scalar_type()),
                   scale = weight.contiguous();
  const at::Tensor residual_grad = at::empty_like(sum);
  at::Tensor input_grad = rule.keep_threshold == 0 ? residual_grad : at::empty_like(sum);
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
  const at::Tensor input_bias_grad =
      has_input_bias ? input_grad.view({rows, columns}).sum(0) : at::Tensor();
  if (input_is_bfloat16) {
    input_grad = input_grad.to(at::kBFloat16);
  } else if (input_grad.is_same(residual_grad)) {
    input_grad = at::Tensor();
  }
  return {input_grad, residual_grad, weight_parts.sum(0), bias_parts.sum(0), input_bias_grad};
}

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def(
      "residual_layer_norm(Tensor input, Tensor? input_bias, Tensor residual, Tensor weight, "
      "Tensor bias, float dropout, int seed, int stream, float epsilon, bool with_bfloat16) -> "
      "(Tensor, Tensor, Tensor, Tensor, Tensor)");
  m.def(
      "residual_layer_norm_backward(Tensor? grad, Tensor? bfloat16_grad, Tensor sum, Tensor mean, "
      "Tensor inverse, Tensor weight, float dropout, int seed, int stream, bool "
      "input_is_bfloat16, bool has_input_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("residual_layer_norm", norm_forward_cpu);
  m.impl("residual_layer_norm_backward", norm_backward_cpu);
}

template <typename Signature>
c10::TypedOperatorHandle<Signature> norm_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::optional<at::Tensor> if_defined(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

struct ResidualLayerNorm : torch::autograd::Function<ResidualLayerNorm> {
  /// Returns the output, and its copy if `with_bfloat16` is set. An undefined tensor is no argument
  /// of apply(), which reads the device of each.
  static variable_list forward(AutogradContext* context, const at::Tensor& input,
                               const std::optional<at::Tensor>& input_bias,
                               const at::Tensor& residual, const at::Tensor& weight,
                               const at::Tensor& bias, const ResidualLayerNormOptions& options,
                               bool with_bfloat16) {
    static const auto operation =
        norm_operator<NormForwardSignature>("rethink::residual_layer_norm");
    at::AutoDispatchBelowADInplaceOrView below;
    const auto seed = static_cast<int64_t>(options.key.seed),
               stream = static_cast<int64_t>(options.key.stream);
    const auto [output, bfloat16, sum, mean, inverse] =
        operation.call(input, input_bias, residual, weight, bias, options.dropout, seed, stream,
                       options.epsilon, with_bfloat16);
    context->save_for_backward({sum, mean, inverse, weight});
    context->set_materialize_grads(false);  // one of the results may have no gradient
    context->saved_data["dropout"] = options.dropout;
    context->saved_data["seed"] = seed;
    context->saved_data["stream"] = stream;
    context->saved_data["input_is_bfloat16"] = input.scalar_type() == at::kBFloat16;
    context->saved_data["has_input_bias"] = input_bias.has_value();
    if (with_bfloat16) return {output, bfloat16};
    return {output};
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    static const auto operation =
        norm_operator<NormBackwardSignature>("rethink::residual_layer_norm_backward");
    TORCH_CHECK(!at::GradMode::is_enabled(), "residual_layer_norm has no second derivative");
    const at::Tensor grad = grads[0], bfloat16_grad = grads.size() > 1 ? grads[1] : at::Tensor();
    if (!grad.defined() && !bfloat16_grad.defined()) return variable_list(7);
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const auto [input_grad, residual_grad, weight_grad, bias_grad, input_bias_grad] =
        operation.call(if_defined(grad), if_defined(bfloat16_grad), saved[0], saved[1], saved[2],
                       saved[3], data["dropout"].toDouble(), data["seed"].toInt(),
                       data["stream"].toInt(), data["input_is_bfloat16"].toBool(),
                       data["has_input_bias"].toBool());
    return {input_grad.defined() ? input_grad : residual_grad,
            input_bias_grad,
            residual_grad,
            weight_grad,
            bias_grad,
            {},
            {}};
  }
};

}  // namespace

at::Tensor residual_layer_norm(const at::Tensor& input, const at::Tensor& residual,
                               const at::Tensor& weight, const at::Tensor& bias,
                               const ResidualLayerNormOptions& options) {
  check_norm_inputs(input, residual, weight, bias, options);
  return ResidualLayerNorm::apply(input, if_defined(options.input_bias), residual, weight, bias,
                                  options, false)
      .front();
}

NormWithCopy residual_layer_norm_with_bfloat16(const at::Tensor& input, const at::Tensor& residual,
                                               const at::Tensor& weight, const at::Tensor& bias,
                                               const ResidualLayerNormOptions& options) {
  check_norm_inputs(input, residual, weight, bias, options);
  const variable_list both = ResidualLayerNorm::apply(input, if_defined(options.input_bias),
                                                      residual, weight, bias, options, true);
  return {both[0], both[1]};
}

}  // namespace rethink
