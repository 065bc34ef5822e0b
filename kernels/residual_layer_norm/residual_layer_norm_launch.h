// What the CUDA kernels of dropout, residual and LayerNorm are given: plain numbers and pointers, no LibTorch.
// Implemented in residual_layer_norm.cu.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/philox.h"

namespace rethink {

constexpr int64_t kWidestNorm = 8192;  // columns that a block keeps in registers

/// What both directions share. Tensors [rows,columns] are contiguous.
struct NormLaunch {
  int64_t rows, columns;
  bool input_is_bfloat16;
  bool in_packets;  // four columns are read and written at once: columns and addresses allow it
  PhiloxKey key;
  uint32_t threshold;  // kernels/philox_dropout/keep_rule.h; 0 = no dropout
  float scale;
  void* stream;     // cudaStream_t
  int threads = 0;  // of a block: the launch functions choose
};

struct NormForwardLaunch {
  NormLaunch shared;
  const void* input;
  const float *residual, *weight, *bias;
  float epsilon;
  float *output, *sum;    // sum = residual + dropout(input)
  float *mean, *inverse;  // [rows]: of sum, and 1 / sqrt(variance + epsilon)
  void* bfloat16;         // the output rounded; null = nobody asked
};

struct NormBackwardLaunch {
  NormLaunch shared;
  const float* grad;          // of the output; null = none
  const void* bfloat16_grad;  // of its copy; null = none
  const float *sum, *mean, *inverse, *weight;
  float* residual_grad;
  void* input_grad;         // null = it is the residual's
  float* parts;             // [number_of_parts,2,columns]: of weight and bias, to be added up
  int64_t number_of_parts;  // norm_parts(rows)
};

/// Groups of rows whose gradients of weight and bias are added within a block. They follow from the rows
/// alone, so that every GPU adds in the same order: enough blocks for a large GPU, and rows enough in
/// each that the groups' sums are little beside the rows.
inline int64_t norm_parts(int64_t rows) {
  constexpr int64_t kFewestRows = 8, kMostParts = 1056;
  return std::clamp<int64_t>((rows + kFewestRows - 1) / kFewestRows, 1, kMostParts);
}

/// Return null, or what CUDA says is wrong. Require: rows > 0, 0 < columns <= kWidestNorm.
const char* launch_norm_forward(NormForwardLaunch launch);
const char* launch_norm_backward(NormBackwardLaunch launch);

}  // namespace rethink
