#include "kernels/philox_dropout/philox_dropout.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace rethink {
namespace {

using Apply = at::Tensor(const at::Tensor& input, double p, int64_t seed, int64_t stream);

at::Tensor dropped(const at::Tensor& input, double p, int64_t seed, int64_t stream) {
  static const auto operation =
      c10::Dispatcher::singleton().findSchemaOrThrow("rethink::philox_dropout", "").typed<Apply>();
  at::AutoDispatchBelowADInplaceOrView below;
  return operation.call(input, p, seed, stream);
}

struct PhiloxDropout : torch::autograd::Function<PhiloxDropout> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            double p, int64_t seed, int64_t stream) {
    context->saved_data["p"] = p;
    context->saved_data["seed"] = seed;
    context->saved_data["stream"] = stream;
    return dropped(input, p, seed, stream);
  }

  /// Dropout is linear: the gradient is dropped by the same numbers, as often as it is asked for.
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    auto& data = context->saved_data;
    const PhiloxKey key{static_cast<uint64_t>(data["seed"].toInt()),
                        static_cast<uint64_t>(data["stream"].toInt())};
    return {philox_dropout(grads[0], data["p"].toDouble(), key), {}, {}, {}};
  }
};

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def("philox_dropout(Tensor input, float p, int seed, int stream) -> Tensor");
}

}  // namespace

at::Tensor philox_dropout(const at::Tensor& input, double p, PhiloxKey key) {
  TORCH_CHECK(p >= 0 && p < 1, "dropout's p must be in [0, 1), got ", p);
  const auto dtype = input.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble || dtype == at::kBFloat16,
              "dropout's input must be float32, float64 or bfloat16, got ", dtype);
  if (p == 0) return input;
  const auto seed = static_cast<int64_t>(key.seed), stream = static_cast<int64_t>(key.stream);
  if (at::GradMode::is_enabled() && input.requires_grad())
    return PhiloxDropout::apply(input, p, seed, stream);
  return dropped(input, p, seed, stream);
}

}  // namespace rethink
