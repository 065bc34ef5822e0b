// Arguments of attention's CUDA kernels: plain numbers and pointers, so that the .cu files need no LibTorch and
// compile in a second.
// Implemented in attention_forward.cu and attention_backward.cu.
#pragma once

#include <cstdint>

#include "kernels/attention/attention_rule.h"

namespace rethink {

/// float32 or bfloat16 [B,H,T,E] on the device; strides in elements, the last is 1.
struct DeviceTensor {
  void* data = nullptr;
  int64_t batch = 0, head = 0, token = 0;
};

/// What heads may see. Null pointers: nothing is hidden, nothing is added.
struct DeviceScope {
  const uint8_t* key_keep = nullptr;     // [B,K]
  const uint8_t* mask = nullptr;         // [1|H,Q,K]
  const float* bias = nullptr;           // [1|H,Q,K]
  int64_t mask_head = 0, bias_head = 0;  // elements from head to head; 0 = all share one
};

/// What all heads of a call share.
struct AttentionSizes : AttentionRule<float> {
  int64_t batch = 0, heads = 0, queries = 0, keys = 0;
  int width = 0;
  bool bfloat16 = false;
  DeviceScope scope;
  void* stream = nullptr;  // cudaStream_t
};

struct AttentionForwardLaunch {
  AttentionSizes sizes;
  DeviceTensor query, key, value, output;
  float* statistics;  // [B,H,Q,2]: attention_ops.h
};

struct AttentionBackwardLaunch {
  AttentionSizes sizes;
  DeviceTensor query, key, value, output, output_grad;
  DeviceTensor query_grad, key_grad, value_grad;
  float* bias_grad;         // [H,Q,K], summed over the batch; null where nobody wants it
  const float* statistics;  // [B,H,Q,2]
  float* weighted;          // [B,H,Q] scratch: each row's sum of output * output_grad
};

/// Both return null, or what CUDA says is wrong.
const char* launch_attention_forward(const AttentionForwardLaunch& launch);
const char* launch_attention_backward(const AttentionBackwardLaunch& launch);

}  // namespace rethink
