#include "kernels/residual_layer_norm/residual_layer_norm.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {
namespace {

using NormForwardOperator = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& input, const at::Tensor& residual, const at::Tensor& weight,
    const at::Tensor& bias, double dropout, double epsilon, int64_t seed, int64_t stream);
using NormBackwardOperator = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& grad, const at::Tensor& sum, const at::Tensor& mean,
    const at::Tensor& inverse, const at::Tensor& weight, double dropout, int64_t seed,
    int64_t stream);

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
  TORCH_CHECK(options.dropout >= 0 && options.dropout < 1, "dropout must be in [0, 1), got ",
              options.dropout);
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct ResidualLayerNorm : torch::autograd::Function<ResidualLayerNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& residual, const at::Tensor& weight,
                            const at::Tensor& bias, const ResidualLayerNormOptions& options) {
    static const auto operation = c10::Dispatcher::singleton()
                                      .findSchemaOrThrow("rethink::residual_layer_norm_forward", "")
                                      .typed<NormForwardOperator>();
    at::AutoDispatchBelowADInplaceOrView below;
    const auto seed = static_cast<int64_t>(options.key.seed),
               stream = static_cast<int64_t>(options.key.stream);
    const auto [output, sum, mean, inverse] = operation.call(
        input, residual, weight, bias, options.dropout, options.epsilon, seed, stream);
    context->save_for_backward({sum, mean, inverse, weight});
    context->saved_data["dropout"] = options.dropout;
    context->saved_data["seed"] = seed;
    context->saved_data["stream"] = stream;
    return output;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    static const auto operation =
        c10::Dispatcher::singleton()
            .findSchemaOrThrow("rethink::residual_layer_norm_backward", "")
            .typed<NormBackwardOperator>();
    TORCH_CHECK(!at::GradMode::is_enabled(), "residual_layer_norm has no second derivative");
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const auto [input, residual, weight, bias] =
        operation.call(grads[0], saved[0], saved[1], saved[2], saved[3], data["dropout"].toDouble(),
                       data["seed"].toInt(), data["stream"].toInt());
    return {input, residual, weight, bias, {}};
  }
};

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def(
      "residual_layer_norm_forward(Tensor input, Tensor residual, Tensor weight, Tensor bias, "
      "float dropout, float epsilon, int seed, int stream) -> (Tensor output, Tensor sum, Tensor "
      "mean, Tensor inverse)");
  m.def(
      "residual_layer_norm_backward(Tensor grad, Tensor sum, Tensor mean, Tensor inverse, Tensor "
      "weight, float dropout, int seed, int stream) -> (Tensor input, Tensor residual, Tensor "
      "weight, Tensor bias)");
}

}  // namespace

at::Tensor residual_layer_norm(const at::Tensor& input, const at::Tensor& residual,
                               const at::Tensor& weight, const at::Tensor& bias,
                               const ResidualLayerNormOptions& options) {
  check_norm_inputs(input, residual, weight, bias, options);
  const at::Tensor same = input.to(residual.scalar_type());
  if (residual.is_cpu()) return ResidualLayerNorm::apply(same, residual, weight, bias, options);
  const at::Tensor sum = residual + philox_dropout(same, options.dropout, options.key);
  return at::layer_norm(sum, {residual.size(-1)}, weight, bias, options.epsilon);
}

}  // namespace rethink
