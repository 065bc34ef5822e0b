// Launch functions of the CUDA kernels of dropout, residual and LayerNorm and their arguments:
// plain numbers and pointers, no LibTorch. Implemented in residual_layer_norm.cu.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/philox.h"

namespace rethink {

constexpr int64_t kWidestNorm = 8192;  // columns that a block keeps in registers

/// Arguments that both passes share. Tensors [rows,columns] are contiguous.
struct NormLaunch {
  int64_t rows, columns;
  bool input_is_bfloat16;
  bool in_packets;  // columns and addresses allow reading and writing four columns at once
  PhiloxKey key;
  uint32_t threshold;  // kernels/philox_dropout/keep_rule.h; 0 = no dropout
  float scale;
  void* stream;     // cudaStream_t
  int threads = 0;  // threads per block, chosen by the launch functions
};

struct NormForwardLaunch {
  NormLaunch shared;
  const void* input;
  const float* input_bias;  // null = none
  const float *residual, *weight, *bias;
  float epsilon;
  float *output, *sum;    // sum = residual + dropout(input + input_bias)
  float *mean, *inverse;  // [rows], mean of sum, and 1 / sqrt(variance + epsilon)
  void* bfloat16;         // the rounded output; null = not requested
};

struct NormBackwardLaunch {
  NormLaunch shared;
  const float* grad;          // gradient of the output; null = none
  const void* bfloat16_grad;  // gradient of its copy; null = none
  const float *sum, *mean, *inverse, *weight;
  float* residual_grad;
  void* input_grad;  // null = equal to the residual's gradient
  bool has_input_bias;
  float* parts;  // [number_of_parts,V,columns], partial gradients of V vectors: weight, bias, and
                 // input_bias if there is one
  int64_t number_of_parts;  // norm_parts(rows)
};

/// Returns the number of groups of rows. A block adds the vectors' gradients of its group. The number depends only on the rows, so that every GPU adds in the same order. There are
/// enough groups for a large GPU, and enough rows in each group that adding the groups' sums costs
/// little.
inline int64_t norm_parts(int64_t rows) {
  constexpr int64_t kFewestRows = 8, kMostParts = 1056;
  return std::clamp<int64_t>((rows + kFewestRows - 1) / kFewestRows, 1, kMostParts);
}

/// Start the kernels. Both return null, or CUDA's error message. Require: rows > 0, 0 < columns <=
/// kWidestNorm.
const char* launch_norm_forward(NormForwardLaunch launch);
const char* launch_norm_backward(NormBackwardLaunch launch);

}  // namespace rethink
