// One head of attention on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
// Implemented in attention_isa.cpp.
#pragma once

#include <cstdint>

#include "kernels/attention/attention_rule.h"
#include "kernels/simd/isa.h"

namespace rethink {

/// Elements of one tensor's head: token t at data + t * row, width elements in a run.
template <typename T>
struct HeadTensor {
  T* data = nullptr;
  int64_t row = 0;
};

/// What all heads of a call share.
struct HeadRule : AttentionRule<double> {
  int64_t queries = 0, keys = 0, width = 0;
};

/// What one head may see. Null pointers: nothing is hidden, nothing is added.
template <typename T>
struct HeadScope {
  int64_t keys = 0;               // to look at: those behind are hidden for all queries
  const uint8_t* keep = nullptr;  // [K]
  const uint8_t* mask = nullptr;  // [Q,K]
  const T* bias = nullptr;        // [Q,K]
};

template <typename T>
struct HeadForward {
  HeadTensor<const T> query, key, value;
  HeadTensor<T> output;
  HeadScope<T> scope;
  T* statistics;      // [Q,2]: attention_ops.h
  int64_t first_row;  // of this head among all [B*H*Q] rows of weights, for dropout
  T* scratch;         // forward_scratch(rule) elements, aligned to 64 bytes
};

template <typename T>
struct HeadBackward {
  HeadTensor<const T> output_grad, query, key, value;
  HeadScope<T> scope;
  const T* statistics;
  HeadTensor<T> query_grad, key_grad, value_grad;
  T* bias_grad;  // [Q,K], added to; null where nobody wants it
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
