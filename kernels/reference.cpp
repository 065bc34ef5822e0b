#include "kernels/reference.h"

#include <ATen/ATen.h>

#include <cmath>

#include "kernels/philox_dropout/keep_rule.h"

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

at::Tensor philox_uniform_reference(at::IntArrayRef sizes, PhiloxKey key) {
  at::Tensor numbers = at::empty(sizes, at::kFloat);
  float* out = numbers.data_ptr<float>();
  for (int64_t i = 0; i < numbers.numel(); ++i) {
    const uint32_t word = philox(key, static_cast<uint64_t>(i / 4)).word[i % 4];
    out[i] = static_cast<float>((std::floor(word / 512.0) + 0.5) / 8388608.0);
  }
  return numbers;
}

at::Tensor attention_reference(const at::Tensor& query, const at::Tensor& key,
                               const at::Tensor& value, const AttentionOptions& options) {
  const at::Tensor weights_BHQK = attention_weights(query, key, options);
  return at::matmul(philox_dropout_reference(weights_BHQK, options.dropout, options.random), value);
}

at::Tensor bias_gelu_reference(const at::Tensor& input, const at::Tensor& bias) {
  return at::gelu(input + bias);
}

at::Tensor cross_entropy_reference(const at::Tensor& scores, const at::Tensor& targets) {
  return -scores.log_softmax(1).gather(1, targets.unsqueeze(1)).sum();
}

at::Tensor residual_layer_norm_reference(const at::Tensor& input, const at::Tensor& residual,
                                         const at::Tensor& weight, const at::Tensor& bias,
                                         const ResidualLayerNormOptions& options) {
  const at::Tensor biased = options.input_bias.defined() ? input + options.input_bias : input;
  const at::Tensor sum = residual + philox_dropout_reference(biased, options.dropout, options.key);
  const at::Tensor centred = sum - sum.mean(-1, /*keepdim=*/true);
  const at::Tensor variance = centred.square().mean(-1, /*keepdim=*/true);
  return centred * (variance + options.epsilon).rsqrt() * weight + bias;
}

at::Tensor transposed_reference(const at::Tensor& matrix) {
  return matrix.t().contiguous();
}

}  // namespace rethink
