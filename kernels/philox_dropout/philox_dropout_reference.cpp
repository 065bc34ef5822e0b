#include <ATen/ATen.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {

at::Tensor philox_dropout_factors(at::IntArrayRef sizes, double p, PhiloxKey key) {
  const KeepRule rule = keep_rule(p, key);
  at::Tensor factors = at::empty(sizes, at::kDouble);
  const int64_t columns = sizes.empty() ? 1 : sizes.back();
  const int64_t rows = columns == 0 ? 0 : factors.numel() / columns;
  double* out = factors.data_ptr<double>();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const uint64_t counter =
          static_cast<uint64_t>(row) * keep_blocks(columns) + column / kKeepColumns;
      const bool keep = keep_bits(philox(key, counter), column % kKeepColumns) >= rule.threshold;
      out[row * columns + column] = keep ? 65536.0 / (65536.0 - rule.threshold) : 0.0;
    }
  }
  return factors;
}

at::Tensor philox_dropout_reference(const at::Tensor& input, double p, PhiloxKey key) {
  TORCH_CHECK(p >= 0 && p < 1, "dropout's p must be in [0, 1), got ", p);
  if (p == 0) return input;
  return input * philox_dropout_factors(input.sizes(), p, key).to(input.options());
}

}  // namespace rethink
