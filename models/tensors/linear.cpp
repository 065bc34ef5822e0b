#include "models/tensors/linear.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <string_view>

#include "kernels/transposed/transposed.h"
#include "models/tensors/bfloat16_states.h"
#include "models/tensors/bfloat16_weights.h"

namespace rethink {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kFewestMultiplications =
    1 << 20;  // below, starting oneDNN costs more than it saves

using OneDnnLinear = at::Tensor(const at::Tensor& input, const at::Tensor& weight,
                                const std::optional<at::Tensor>& bias, std::string_view activation,
                                c10::List<std::optional<at::Scalar>> scalars,
                                std::optional<std::string_view> algorithm);

/// LibTorch's operator for compiled graphs; empty if LibTorch is built without oneDNN.
const std::optional<c10::TypedOperatorHandle<OneDnnLinear>>& onednn_linear() {
  static const auto found = []() -> std::optional<c10::TypedOperatorHandle<OneDnnLinear>> {
    const auto schema = c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
    if (!at::hasMKLDNN() || !schema || !schema->hasKernelForDispatchKey(c10::DispatchKey::CPU))
      return std::nullopt;
    return schema->typed<OneDnnLinear>();
  }();
  return found;
}

bool takes_onednn(const at::Tensor& a, int64_t columns) {
  return a.is_cpu() && a.scalar_type() == at::kFloat &&
         a.numel() * columns >= kFewestMultiplications && onednn_linear() &&
         at::globalContext().userEnabledMkldnn();
}

at::Tensor rows_of(const at::Tensor& tensor) {
  return tensor.reshape({-1, tensor.size(-1)});
}

struct Linear : torch::autograd::Function<Linear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    context->save_for_backward({input, weight});
    context->saved_data["bias"] = bias.has_value();
    std::vector<int64_t> sizes = input.sizes().vec();
    sizes.back() = weight.size(0);
    return product(rows_of(input), weight, bias.value_or(at::Tensor())).view(sizes);
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor gradient_RO = rows_of(outer[0]), input_RI = rows_of(saved[0]);
    variable_list gradients(3);
    if (context->needs_input_grad(0))
      gradients[0] = product(gradient_RO, saved[1].t()).view(saved[0].sizes());
    if (context->needs_input_grad(1)) gradients[1] = product(gradient_RO.t(), input_RI.t());
    if (context->saved_data["bias"].toBool() && context->needs_input_grad(2))
      gradients[2] = gradient_RO.sum(0);
    return gradients;
  }
};

}  // namespace

at::Tensor product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias) {
  if (!takes_onednn(a, b.size(0)))
    return bias.defined() ? at::addmm(bias, a, b.t()) : at::mm(a, b.t());
  // oneDNN's operator accepts only whole rows of `a`; LibTorch would copy other layouts.
  const bool turned = !a.is_contiguous() && a.t().is_contiguous();
  return onednn_linear()->call(turned ? transposed(a.t()) : a, b,
                               bias.defined() ? std::optional(bias) : std::nullopt, "none",
                               c10::List<std::optional<at::Scalar>>(), "");
}

at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
  if (!takes_onednn(input, weight.size(0)) || at::autocast::is_autocast_enabled(at::kCPU))
    return at::linear(linear_input(input), linear_weight(weight), linear_weight(bias));
  return Linear::apply(input, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace rethink
