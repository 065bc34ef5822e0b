#include "core/activation_bytes.h"

namespace rethink {

double activation_bytes(const PassShape& shape) {
  const double half = shape.in_bfloat16 ? 2 : 4, whole = 4;
  const auto d = static_cast<double>(shape.d_model), f = static_cast<double>(shape.ffn);
  const auto positions = static_cast<double>(shape.rows * shape.tokens);
  // Of a position in a layer. In float32: what the two norms read and give, the residual sums. As the products
  // take and give it: the input of both sub-layers, queries, keys, values, the attention's output, what both
  // sub-layers return before and after dropout; inside of the feed-forward layer before and after its
  // activation. Masks of dropout take a byte.
  const double of_layer = whole * 4 * d + half * (10 * d + 2 * f) + 2 * d;
  // Cross-attention has a norm and a sub-layer of its own: input, queries, keys, values, output, what it returns
  // before and after dropout.
  const double of_cross = whole * 2 * d + half * 7 * d + d;
  // Log-sum-exp of the weights' rows; the gradient of learned scores of one layer at a time.
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
