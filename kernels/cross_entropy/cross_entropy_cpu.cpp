#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/library.h>

#include <algorithm>

#include "kernels/cross_entropy/cross_entropy_rows.h"
#include "kernels/simd/isa.h"

namespace rethink {
namespace {

constexpr int64_t kFewestScores = 32768;  // that are worth a thread

void run_cross_entropy(const CrossEntropyRows<float>& call) {
  static const CrossEntropyKernels& picked = pick_isa(
      baseline::cross_entropy_kernels, avx2::cross_entropy_kernels, avx512::cross_entropy_kernels);
  picked.run_float(call);
}
void run_cross_entropy(const CrossEntropyRows<double>& call) {
  static const CrossEntropyKernels& picked = pick_isa(
      baseline::cross_entropy_kernels, avx2::cross_entropy_kernels, avx512::cross_entropy_kernels);
  picked.run_double(call);
}

at::Tensor cross_entropy_gradient_cpu(at::Tensor& scores, const at::Tensor& targets) {
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
    const int64_t grain = std::max<int64_t>(1, kFewestScores / columns);
    at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
      run_cross_entropy(CrossEntropyRows<scalar_t>{score + begin * columns, target + begin,
                                                   loss + begin, end - begin, columns});
    });
  });
  return losses;
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("cross_entropy_gradient_", cross_entropy_gradient_cpu);
}

}  // namespace
}  // namespace rethink
