// Launch functions of attention's CUDA kernels and their arguments: plain numbers and pointers, so
// that the .cu files need no LibTorch and compile in a second. Implemented in attention_forward.cu
// and attention_backward.cu.
#pragma once

#include <cstdint>

#include "kernels/attention/attention_rule.h"

namespace rethink {

/// A float32 or bfloat16 tensor [B,H,T,E] on the device. Strides count elements; the last stride is
/// 1.
struct DeviceTensor {
  void* data = nullptr;
  int64_t batch = 0, head = 0, token = 0;
};

/// Keys that heads may see, and the bias. A null pointer hides or adds nothing.
struct DeviceScope {
  const uint8_t* key_keep = nullptr;     // [B,K]
  const uint8_t* mask = nullptr;         // [1|H,Q,K]
  const float* bias = nullptr;           // [1|H,Q,K]
  int64_t mask_head = 0, bias_head = 0;  // elements between two heads; 0 = all heads share one
};

/// Properties that all heads of a call share.
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
  float* statistics;  // [B,H,Q,2], see attention_ops.h
};

struct AttentionBackwardLaunch {
  AttentionSizes sizes;
  DeviceTensor query, key, value, output, output_grad;
  DeviceTensor query_grad, key_grad, value_grad;
  float* bias_grad;         // [H,Q,K], summed over the batch; null = not needed
  const float* statistics;  // [B,H,Q,2]
  float* weighted;          // [B,H,Q] scratch for each row's sum of output * output_grad
};

/// Start the kernels. Both return null, or CUDA's error message.
const char* launch_attention_forward(const AttentionForwardLaunch& launch);
const char* launch_attention_backward(const AttentionBackwardLaunch& launch);

}  // namespace rethink
