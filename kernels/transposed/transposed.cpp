#include "kernels/transposed/transposed.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace rethink {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Transposed : torch::autograd::Function<Transposed> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& matrix) {
    static const auto operation = c10::Dispatcher::singleton()
                                      .findSchemaOrThrow("rethink::transposed", "")
                                      .typed<at::Tensor(const at::Tensor&)>();
    at::AutoDispatchBelowADInplaceOrView below;
    return operation.call(matrix);
  }

  static variable_list backward(AutogradContext*, const variable_list& grads) {
    return {transposed(grads[0])};
  }
};

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def("transposed(Tensor matrix) -> Tensor");
}

}  // namespace

at::Tensor transposed(const at::Tensor& matrix) {
  const auto dtype = matrix.scalar_type();
  TORCH_CHECK(matrix.dim() == 2, "matrix must be [R,C], got ", matrix.sizes());
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble,
              "matrix must be float32 or float64, got ", dtype);
  return matrix.is_cpu() ? Transposed::apply(matrix) : matrix.t().contiguous();
}

}  // namespace rethink
