#include "kernels/transposed/transposed.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "kernels/simd/threads.h"
#include "kernels/transposed/transposed_rows.h"

namespace rethink {

namespace {

constexpr int64_t kLine = 16;  // threads share no cache line of the result

at::Tensor transposed_cpu(const at::Tensor& matrix) {
  const at::Tensor from = matrix.contiguous();
  const int64_t rows = from.size(0), columns = from.size(1);
  const at::Tensor to = at::empty({columns, rows}, from.options());
  if (from.numel() == 0) return to;
  const int64_t blocks = (rows + kLine - 1) / kLine;
  const int64_t grain = rows_worth_a_thread(columns * kLine);
  AT_DISPATCH_FLOATING_TYPES(from.scalar_type(), "transposed", [&] {
    at::parallel_for(0, blocks, grain, [&](int64_t begin, int64_t end) {
      transpose_kernels<scalar_t>().run({from.const_data_ptr<scalar_t>(), to.data_ptr<scalar_t>(),
                                         rows, columns, begin * kLine,
                                         std::min(end * kLine, rows)});
    });
  });
  return to;
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Transposed : torch::autograd::Function<Transposed> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& matrix) {
    at::AutoDispatchBelowADInplaceOrView below;
    return transposed_cpu(matrix);
  }

  static variable_list backward(AutogradContext*, const variable_list& grads) {
    return {transposed(grads[0])};
  }
};

}  // namespace

at::Tensor transposed(const at::Tensor& matrix) {
  const auto dtype = matrix.scalar_type();
  TORCH_CHECK(matrix.dim() == 2, "matrix must be [R,C], got ", matrix.sizes());
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble,
              "matrix must be float32 or float64, got ", dtype);
  return matrix.is_cpu() ? Transposed::apply(matrix) : matrix.t().contiguous();
}

}  // namespace rethink
