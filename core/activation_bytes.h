// Estimates the memory of a transformer's training pass, without its weights, from its shape.
#pragma once

#include <cstdint>

namespace rethink {

/// One pass, forward and backward, over `rows` sequences of `tokens`.
struct PassShape {
  int64_t layers = 0;
  int64_t cross_layers = 0;  // layers that also attend to another sequence
  int64_t d_model = 0, heads = 0, ffn = 0;
  int64_t rows = 0, tokens = 0;
  int64_t predicted = 0;   // tokens whose logits are computed
  int64_t vocabulary = 0;  // logits of each
  bool in_bfloat16 = false;
  bool learns_bias =
      false;  // attention adds learned scores, whose gradient is made for each sequence
};

/// Returns the bytes at the peak. Tensors that are kept for the backward pass are counted one by
/// one, without an allocator's losses. The estimate may be a fifth too low or too high.
double activation_bytes(const PassShape& shape);

}  // namespace rethink
