#include "core/activation_bytes.h"

namespace rethink {

double activation_bytes(const PassShape& shape) {
  const double half = shape.in_bfloat16 ? 2 : 4, whole = 4;
  const auto d = static_cast<double>(shape.d_model), f = static_cast<double>(shape.ffn);
  const auto positions = static_cast<double>(shape.rows * shape.tokens);
  // Bytes per position of a layer. In float32: inputs and outputs of the two norms, and the
  // residual sums. In the type of the matrix products: inputs of both sub-layers; queries, keys,
  // values and the attention's output; outputs of both sub-layers before and after dropout; the
  // feed-forward layer before and after its activation. Dropout masks take one byte per element.
  const double of_layer = whole * 4 * d + half * (10 * d + 2 * f) + 2 * d;
  // Cross-attention has its own norm and sub-layer: input, queries, keys, values, output, and its
  // result before and after dropout.
  const double of_cross = whole * 2 * d + half * 7 * d + d;
  // The log-sum-exp of the score rows. Gradients of learned scores exist for one layer at a time.
  const double log_sums = whole * static_cast<double>(shape.heads);
  const double bias_gradient =
      shape.learns_bias ? half * static_cast<double>(shape.heads * shape.tokens) : 0;
  // Logits, their softmax in float32, and its gradient.
  const double of_prediction = (half + 2 * whole) * static_cast<double>(shape.vocabulary);
  return positions * (static_cast<double>(shape.layers) * (of_layer + log_sums) +
                      static_cast<double>(shape.cross_layers) * (of_cross + log_sums) +
                      bias_gradient + whole * 4 * d) +
         static_cast<double>(shape.predicted) * of_prediction;
}

}  // namespace rethink
