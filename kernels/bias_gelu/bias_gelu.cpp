#include "kernels/bias_gelu/bias_gelu.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "kernels/bias_gelu/bias_gelu_rows.h"
#include "kernels/simd/threads.h"

namespace rethink {

namespace {

void check_gelu_inputs(const at::Tensor& input, const at::Tensor& bias) {
  const auto dtype = input.scalar_type();
  TORCH_CHECK(input.dim() >= 1 && input.size(-1) >= 1, "input must be [...,N], got ",
              input.sizes());
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble, "input must be float32 or float64, got ",
              dtype);
  TORCH_CHECK(bias.dim() == 1 && bias.size(0) == input.size(-1) && bias.scalar_type() == dtype,
              "bias must be [", input.size(-1), "] of ", dtype, ", got ", bias.sizes(), " of ",
              bias.scalar_type());
  TORCH_CHECK(bias.device() == input.device(), "bias must be on ", input.device(),
              " as input, got ", bias.device());
}

std::tuple<at::Tensor, at::Tensor> bias_gelu_forward(const at::Tensor& input,
                                                     const at::Tensor& bias) {
  const int64_t columns = input.size(-1), rows = input.numel() / columns;
  const at::Tensor in = input.contiguous(), shift = bias.contiguous();
  const at::Tensor output = at::empty(input.sizes(), input.options());
  const at::Tensor derivative = at::empty_like(output);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "bias_gelu", [&] {
    using T = scalar_t;
    over_parts(rows, [&](int64_t, int64_t begin, int64_t end) {
      gelu_kernels<T>().forward({in.const_data_ptr<T>(), shift.const_data_ptr<T>(),
                                 output.data_ptr<T>(), derivative.data_ptr<T>(), columns, begin,
                                 end});
    });
  });
  return {output, derivative};
}

std::tuple<at::Tensor, at::Tensor> bias_gelu_backward(const at::Tensor& grad,
                                                      const at::Tensor& derivative) {
  const int64_t columns = derivative.size(-1), rows = derivative.numel() / columns;
  const at::Tensor upstream = grad.contiguous(), input_grad = at::empty_like(derivative);
  const at::Tensor bias_parts = at::empty({kParts, columns}, derivative.options());
  AT_DISPATCH_FLOATING_TYPES(derivative.scalar_type(), "bias_gelu", [&] {
    using T = scalar_t;
    over_parts(rows, [&](int64_t part, int64_t begin, int64_t end) {
      gelu_kernels<T>().backward({upstream.const_data_ptr<T>(), derivative.const_data_ptr<T>(),
                                  input_grad.data_ptr<T>(),
                                  bias_parts.data_ptr<T>() + part * columns, columns, begin, end});
    });
  });
  return {input_grad, bias_parts.sum(0)};
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct BiasGelu : torch::autograd::Function<BiasGelu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& bias) {
    at::AutoDispatchBelowADInplaceOrView below;
    const auto [output, derivative] = bias_gelu_forward(input, bias);
    context->save_for_backward({derivative});
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& grads) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "bias_gelu has no second derivative");
    const auto [input, bias] = bias_gelu_backward(grads[0], context->get_saved_variables()[0]);
    return {input, bias};
  }
};

}  // namespace

at::Tensor bias_gelu(const at::Tensor& input, const at::Tensor& bias) {
  check_gelu_inputs(input, bias);
  return input.is_cpu() ? BiasGelu::apply(input, bias) : at::gelu(input + bias);
}

}  // namespace rethink
