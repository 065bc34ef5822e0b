// What the CUDA kernels of causal attention are given: plain numbers and pointers, so that the .cu
// file needs no LibTorch and compiles in a second.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// float32 or bfloat16 [B,H,T,E] on the device; strides in elements, the last is 1.
struct DeviceTensor {
  void* data = nullptr;
  int64_t batch = 0, head = 0, token = 0;
};

struct CausalAttentionSizes {
  int64_t batch = 0, heads = 0, tokens = 0;
  int width = 0;
  bool bfloat16 = false;
  float scale = 1.0f, diagonal_rate = 1.0f;
  bool diagonal_masked = false;
  PhiloxKey key;
  uint32_t keep_threshold = 0;  // kernels/philox_dropout/keep.h; 0 = no dropout
  float keep_scale = 1.0f;
  void* stream = nullptr;  // cudaStream_t
};

struct CausalAttentionForwardLaunch {
  CausalAttentionSizes sizes;
  DeviceTensor query, key, value, output;
  float* logsumexp;  // [B,H,T]
};

struct CausalAttentionBackwardLaunch {
  CausalAttentionSizes sizes;
  DeviceTensor query, key, value, output, output_grad;
  DeviceTensor query_grad, key_grad, value_grad;
  const float* logsumexp;  // [B,H,T]
  float* weighted;         // [B,H,T] scratch: each row's sum of output * output_grad
};

/// Both return null, or what CUDA says is wrong.
const char* launch_causal_attention_forward(const CausalAttentionForwardLaunch& launch);
const char* launch_causal_attention_backward(const CausalAttentionBackwardLaunch& launch);

}  // namespace rethink
