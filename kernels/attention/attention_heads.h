// Attention of one head on one CPU core, with plain pointers and without LibTorch. Implemented in
// attention_isa.cpp, which is compiled once per instruction set (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "kernels/attention/attention_rule.h"
#include "kernels/simd/isa.h"

namespace rethink {

/// One head of a tensor: the elements of token t are `width` consecutive numbers at data + t * row.
template <typename T>
struct HeadTensor {
  T* data = nullptr;
  int64_t row = 0;
};

/// Properties that all heads of a call share.
struct HeadRule : AttentionRule<double> {
  int64_t queries = 0, keys = 0, width = 0;
};

/// Keys that one head may see, and the bias. A null pointer hides or adds nothing.
template <typename T>
struct HeadScope {
  int64_t keys = 0;               // number of keys to read; later keys are hidden for all queries
  const uint8_t* keep = nullptr;  // [K]
  const uint8_t* mask = nullptr;  // [Q,K]
  const T* bias = nullptr;        // [Q,K]
};

template <typename T>
struct HeadForward {
  HeadTensor<const T> query, key, value;
  HeadTensor<T> output;
  HeadScope<T> scope;
  T* statistics;      // [Q,2], see attention_ops.h
  int64_t first_row;  // this head's first row among all [B*H*Q] rows of weights, for dropout
  T* scratch;         // forward_scratch(rule) elements, aligned to 64 bytes
};

template <typename T>
struct HeadBackward {
  HeadTensor<const T> output_grad, query, key, value;
  HeadScope<T> scope;
  const T* statistics;
  HeadTensor<T> query_grad, key_grad, value_grad;
  T* bias_grad;  // [Q,K], the gradient is added to it; null = not needed
  int64_t first_row;
  T* scratch;  // backward_scratch(rule) elements, aligned to 64 bytes
};

template <typename T>
struct HeadKernels {
  int64_t (*forward_scratch)(const HeadRule&);
  int64_t (*backward_scratch)(const HeadRule&);
  void (*forward)(const HeadRule&, const HeadForward<T>&);
  void (*backward)(const HeadRule&, const HeadBackward<T>&);
};

RETHINK_ISA_TABLE(HeadKernels, head_kernels)

}  // namespace rethink
