#include "kernels/cross_entropy/cross_entropy.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "kernels/cross_entropy/cross_entropy_rows.h"
#include "kernels/simd/threads.h"

namespace rethink {

namespace {

at::Tensor cross_entropy_gradient_cpu(const at::Tensor& scores, const at::Tensor& targets) {
  const int64_t rows = scores.size(0), columns = scores.size(1);
  const at::Tensor losses = at::empty({rows}, scores.options()), wanted = targets.contiguous();
  const int64_t* target = wanted.const_data_ptr<int64_t>();
  for (int64_t r = 0; r < rows; ++r) {
    TORCH_CHECK(target[r] >= 0 && target[r] < columns, "targets must be in [0, ", columns,
                "), got ", target[r]);
  }
  AT_DISPATCH_FLOATING_TYPES(scores.scalar_type(), "cross_entropy", [&] {
    scalar_t* score = scores.data_ptr<scalar_t>();
    scalar_t* loss = losses.data_ptr<scalar_t>();
    at::parallel_for(0, rows, rows_worth_a_thread(columns), [&](int64_t begin, int64_t end) {
      cross_entropy_kernels<scalar_t>().run(
          {score + begin * columns, target + begin, loss + begin, end - begin, columns});
    });
  });
  return losses;
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct CrossEntropy : torch::autograd::Function<CrossEntropy> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& scores,
                            const at::Tensor& targets) {
    const at::Tensor gradient = scores.detach().clone(at::MemoryFormat::Contiguous);
    const at::Tensor losses = cross_entropy_gradient_(gradient, targets);
    context->save_for_backward({gradient});
    return losses.sum();
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "cross_entropy has no second derivative");
    return {context->get_saved_variables()[0] * outer[0], {}};
  }
};

}  // namespace

at::Tensor cross_entropy_gradient_(const at::Tensor& scores, const at::Tensor& targets) {
  TORCH_CHECK(scores.dim() == 2 && scores.is_contiguous() && scores.size(1) >= 1,
              "scores must be [N,V] in one piece, got ", scores.sizes());
  const auto dtype = scores.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble,
              "scores must be float32 or float64, got ", dtype);
  TORCH_CHECK(
      targets.dim() == 1 && targets.size(0) == scores.size(0) && targets.scalar_type() == at::kLong,
      "targets must be i64 [N] = [", scores.size(0), "], got ", targets.scalar_type(), " ",
      targets.sizes());
  TORCH_CHECK(scores.is_cpu() && targets.is_cpu(), "scores and targets must be on the CPU, got ",
              scores.device(), " and ", targets.device());
  const at::AutoDispatchBelowADInplaceOrView below;
  return cross_entropy_gradient_cpu(scores, targets);
}

at::Tensor cross_entropy_sum(const at::Tensor& scores, const at::Tensor& targets) {
  return CrossEntropy::apply(scores, targets);
}

}  // namespace rethink
