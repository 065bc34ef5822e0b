// Who computes a call of attention() on a GPU: LibTorch's memory-efficient attention, or the kernels of this room,
// which know more and are slower. Plain arithmetic; no tensor, no GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rethink {

enum class AttentionPath { library, kernels };

/// Why a call takes its path. All but the first are of the kernels'.
enum class PathReason {
  fits,            // softmax(scale Q K^T + bias, hidden) V, as the library computes it
  asked_for,       // the process prefers the kernels: the CPU's dropout, bit by bit
  diagonal_rate,   // the library scales no part of the scores
  bias_precision,  // it would round a float32 bias to bfloat16
  dtype,           // neither float32 nor bfloat16
  size,            // more rows than its grid has blocks, or more dropped weights than its counters
  empty,           // nothing to compute
};

/// What the choice depends on.
struct AttentionCase {
  bool is_float32 = true, is_bfloat16 = false;  // the query
  int64_t batch = 0, heads = 0, queries = 0, keys = 0;
  double diagonal_rate = 1.0;
  double dropout = 0.0;
  bool has_bias = false;
  bool bias_is_exact = false;  // bfloat16 holds it wherever a query may see a key
};

enum class AttentionPreference { library, kernels };

constexpr int64_t kMostBlocks = 65535;  // of a grid's second and third dimension

/// Pure.
constexpr PathReason attention_path_reason(const AttentionCase& call,
                                           AttentionPreference preference) {
  if (call.batch == 0 || call.heads == 0 || call.queries == 0 || call.keys == 0)
    return PathReason::empty;
  if (preference == AttentionPreference::kernels) return PathReason::asked_for;
  if (call.diagonal_rate != 1.0) return PathReason::diagonal_rate;
  if (!call.is_float32 && !call.is_bfloat16) return PathReason::dtype;
  if (call.is_bfloat16 && call.has_bias && !call.bias_is_exact) return PathReason::bias_precision;
  if (call.batch > kMostBlocks || call.heads > kMostBlocks) return PathReason::size;
  // The library numbers the weights of a call in 32 bits.
  const double weights = static_cast<double>(call.batch) * static_cast<double>(call.heads) *
                         static_cast<double>(call.queries) * static_cast<double>(call.keys);
  if (call.dropout > 0 && weights >= 4294967296.0) return PathReason::size;
  return PathReason::fits;
}

constexpr AttentionPath path_of(PathReason reason) {
  return reason == PathReason::fits ? AttentionPath::library : AttentionPath::kernels;
}

/// For people: "library", "kernels: the diagonal has a rate".
std::string to_text(PathReason reason);

/// Which of both this process's GPU is to prefer; at first the library.
void prefer_attention(AttentionPreference preference);
AttentionPreference preferred_attention();

/// The paths that calls on a GPU took since the process began or forget_attention_paths(), in the order
/// of PathReason, without empty calls. Thread-safe.
std::vector<std::string> attention_paths_taken();
void forget_attention_paths();
void note_attention_path(PathReason reason);

}  // namespace rethink
