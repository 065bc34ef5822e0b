// The choice of who computes a call of attention() on a GPU: LibTorch's memory-efficient attention,
// or the kernels of this room, which support more and are slower. Plain arithmetic, without tensors
// and without a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rethink {

enum class AttentionPath { library, kernels };

/// Reason for a call's path. `fits` selects the library, all others select the kernels.
enum class PathReason {
  fits,            // softmax(scale Q K^T + bias, hidden) V, as the library computes it
  asked_for,       // the process prefers the kernels, whose dropout equals the CPU's bit by bit
  diagonal_rate,   // the library cannot scale a part of the scores
  bias_precision,  // the library would round a float32 bias to bfloat16
  dtype,           // neither float32 nor bfloat16
  size,            // more rows than blocks of a grid, or more weights than the dropout's counters
  empty,           // nothing to compute
};

/// Properties of a call that decide the choice.
struct AttentionCase {
  bool is_float32 = true, is_bfloat16 = false;  // type of the query
  int64_t batch = 0, heads = 0, queries = 0, keys = 0;
  double diagonal_rate = 1.0;
  double dropout = 0.0;
  bool has_bias = false;
  bool bias_is_exact = false;  // bfloat16 represents the bias of every visible key exactly
};

enum class AttentionPreference { library, kernels };

constexpr int64_t kMostBlocks = 65535;  // CUDA's limit of a grid's second and third dimension

/// Returns the reason for the path of a call. A pure function.
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

/// Returns text for people: "library", "kernels: the diagonal has a rate".
std::string to_text(PathReason reason);

/// Sets which of both this process prefers on its GPU; the library by default.
void prefer_attention(AttentionPreference preference);
AttentionPreference preferred_attention();

/// Returns the paths of this process's calls on a GPU since its start or forget_attention_paths(),
/// in the order of PathReason, without empty calls. Thread-safe.
std::vector<std::string> attention_paths_taken();
void forget_attention_paths();
void note_attention_path(PathReason reason);

}  // namespace rethink
