// Attention of one head by tiles of eight queries. Scores, softmax, dropout and the product with
// the values of a tile stay in the cache. Keys above a causal diagonal and padding behind the last
// kept key are never computed.
#include "kernels/attention/attention_heads.h"
#include "kernels/simd/gemm.h"
#include "kernels/simd/philox.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {
namespace {

constexpr int64_t kTile = 8;  // queries, or keys, that are computed together
/// Number of queries whose weights the backward pass keeps at once; a multiple of kTile.
constexpr int64_t kBlock = 128;
constexpr int64_t kLine = 16;  // scratch rows are rounded up to multiples of this
/// Score of a hidden key, equal to kHiddenScore, whose header needs LibTorch.
constexpr double kHidden = -1e30;
constexpr double kNothing = -1e29;  // only hidden keys score lower

/// Hands out parts of the scratch memory in order.
template <typename T>
class Scratch {
 public:
  explicit Scratch(T* memory) : next_(memory) {}
  T* take(int64_t elements) {
    T* taken = next_;
    next_ += round_up(elements, kLine);
    return taken;
  }

 private:
  T* next_;
};

int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}
int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

struct Sizes {
  explicit Sizes(const HeadRule& rule)
      : keys(round_up(larger(rule.keys, 1), kLine)),
        width(round_up(rule.width, kLine)),
        padded(rule.width != width),
        blocks(blocks_of(rule.keys)),
        bits(round_up(kTile * blocks, kPhiloxLanes) * kKeepColumns + kLine) {}
  int64_t keys, width;
  bool padded;     // rows are not whole vectors and need a copy
  int64_t blocks;  // Philox blocks per row of weights
  int64_t bits;    // uint16 numbers for a tile's dropout
};

int64_t forward_scratch(const HeadRule& rule) {
  const Sizes size(rule);
  return (rule.width + kTile + 1) * size.keys +
         (size.padded ? (size.keys + kTile) * size.width : 0) + size.bits + 8 * kLine;
}

int64_t backward_scratch(const HeadRule& rule) {
  const Sizes size(rule);
  const int64_t queries = round_up(rule.queries, kLine);
  return (2 * rule.width + 2 * kBlock + 1) * size.keys +
         (size.padded ? (2 * queries + 3 * size.keys + kTile) * size.width : 0) + size.bits +
         16 * kLine;
}

/// Returns the tensor itself, or a copy whose rows are padded to whole vectors.
template <typename T>
HeadTensor<const T> whole_rows(const HeadRule& rule, HeadTensor<const T> tensor, int64_t rows,
                               Scratch<T>& scratch) {
  const Sizes size(rule);
  if (!size.padded) return tensor;
  T* copy = scratch.take(rows * size.width);
  copy_padded(tensor.data, tensor.row, rows, rule.width, copy, size.width);
  return {copy, size.width};
}

template <typename T>
HeadTensor<T> place_for(const Sizes& size, HeadTensor<T> tensor, int64_t rows,
                        Scratch<T>& scratch) {
  return size.padded ? HeadTensor<T>{scratch.take(rows * size.width), size.width} : tensor;
}

template <typename T>
void copy_back(const HeadRule& rule, HeadTensor<T> from, int64_t rows, T* to, int64_t to_row) {
  for (int64_t r = 0; r < rows; ++r)
    std::memcpy(to + r * to_row, from.data + r * from.row, sizeof(T) * rule.width);
}

/// Computes the dropout bits of a tile's queries for keys [0, end). Returns the distance between
/// two rows of bits.
int64_t fill_tile_bits(const HeadRule& rule, const Sizes& size, int64_t row, int64_t rows,
                       int64_t end, uint16_t* bits) {
  const int64_t blocks = blocks_of(end);
  fill_keep_bits(rule.key, static_cast<uint64_t>(row) * static_cast<uint64_t>(size.blocks),
                 size.blocks, rows, blocks, bits);
  return blocks * kKeepColumns;
}

/// Returns the end of the keys that queries [first, first + rows) may see.
template <typename T>
int64_t end_of_keys(const HeadRule& rule, const HeadScope<T>& scope, int64_t first, int64_t rows) {
  return rule.causal ? smaller(first + rows, scope.keys) : scope.keys;
}

/// Returns `end` keys rounded up to whole vectors.
template <typename T>
int64_t span_of(int64_t end) {
  return round_up(larger(end, 1), kLanes<T>);
}

/// Sets 1 for each of the keys [0, end) that is neither padding nor masked for `query`.
template <typename T>
void find_seen(const HeadRule& rule, const HeadScope<T>& scope, int64_t query, int64_t end,
               uint8_t* seen) {
  for (int64_t k = 0; k < end; ++k) seen[k] = 1;
  if (scope.keep != nullptr) {
    for (int64_t k = 0; k < end; ++k) seen[k] = scope.keep[k] != 0;
  }
  if (scope.mask != nullptr) {
    const uint8_t* mask = scope.mask + query * rule.keys;
    for (int64_t k = 0; k < end; ++k) seen[k] &= mask[k] != 0;
  }
  if (!rule.diagonal_masked || query >= end) return;
  const uint8_t own = seen[query];
  seen[query] = 0;
  uint8_t others = 0;
  for (int64_t k = 0; k < end; ++k) others |= seen[k];
  if (others == 0) seen[query] = own;
}

/// Computes the final scores of `query` with keys [0, end): diagonal scaled, bias added, kHidden
/// for hidden keys and for the padding to whole vectors. Returns the number of keys that are
/// considered.
template <typename T>
int64_t finish_scores(const HeadRule& rule, const HeadScope<T>& scope, int64_t query, int64_t end,
                      T* row, uint8_t* seen) {
  const int64_t visible = rule.causal ? smaller(query + 1, end) : end;
  if (query < visible) row[query] *= static_cast<T>(rule.diagonal_rate);
  if (scope.bias != nullptr) {
    const T* bias = scope.bias + query * rule.keys;
    for (int64_t k = 0; k < visible; ++k) row[k] += bias[k];
  }
  if (scope.keep != nullptr || scope.mask != nullptr || rule.diagonal_masked) {
    find_seen(rule, scope, query, visible, seen);
    for (int64_t k = 0; k < visible; ++k) row[k] = seen[k] != 0 ? row[k] : static_cast<T>(kHidden);
  }
  const int64_t span = span_of<T>(end);
  for (int64_t k = visible; k < span; ++k) row[k] = static_cast<T>(kHidden);
  return visible;
}

/// Returns dropout's factors of the weights at `bits`.
template <typename T>
Vector<T> keep_of(const HeadRule& rule, const uint16_t* bits) {
  return keep_factors<T>(bits, rule.keep_threshold, static_cast<T>(rule.keep_scale));
}

/// Turns the scores of one query into weights after dropout, which multiply the values. Sets the
/// row's `statistics` [2] (attention_ops.h).
template <typename T>
void softmax_row(const HeadRule& rule, T* row, int64_t span, T* statistics, const uint16_t* bits) {
  Vector<T> most = load(row);
  for (int64_t k = kLanes<T>; k < span; k += kLanes<T>) {
    const Vector<T> next = load(row + k);
    most = next > most ? next : most;
  }
  const T highest = max_of<T>(most);
  Vector<T> sums = {};
  for (int64_t k = 0; k < span; k += kLanes<T>) {
    const Vector<T> weight = exp_of(load(row + k) - highest);
    sums += weight;
    store(row + k, weight);
  }
  const T factor = highest < static_cast<T>(kNothing) ? 0 : 1 / sum_of<T>(sums);
  for (int64_t k = 0; k < span; k += kLanes<T>) {
    const Vector<T> weight = load(row + k) * factor;
    store(row + k, rule.keep_threshold > 0 ? weight * keep_of<T>(rule, bits + k) : weight);
  }
  statistics[0] = highest;
  statistics[1] = factor;
}

template <typename T>
void forward_head(const HeadRule& rule, const HeadForward<T>& head) {
  const Sizes size(rule);
  const HeadScope<T>& scope = head.scope;
  Scratch<T> scratch(head.scratch);
  T* keys = scratch.take(rule.width * size.keys);  // [E, K]
  transpose(head.key.data, head.key.row, scope.keys, rule.width, keys, size.keys);
  const HeadTensor<const T> value = whole_rows(rule, head.value, scope.keys, scratch);
  const HeadTensor<T> output = place_for(size, head.output, kTile, scratch);
  T* weights = scratch.take(kTile * size.keys);
  uint8_t* seen = reinterpret_cast<uint8_t*>(scratch.take(size.keys));
  uint16_t* bits = reinterpret_cast<uint16_t*>(scratch.take(size.bits));
  for (int64_t first = 0; first < rule.queries; first += kTile) {
    const int64_t rows = smaller(kTile, rule.queries - first);
    const int64_t end = end_of_keys(rule, scope, first, rows);
    gemm<T>({rows, end, rule.width, head.query.data + first * head.query.row, head.query.row, 1,
             keys, size.keys, weights, size.keys, static_cast<T>(rule.scale)});
    int64_t bits_row = 0;
    if (rule.keep_threshold > 0) {
      bits_row = fill_tile_bits(rule, size, head.first_row + first, rows, end, bits);
    }
    for (int64_t r = 0; r < rows; ++r) {
      T* row = weights + r * size.keys;
      finish_scores(rule, scope, first + r, end, row, seen);
      softmax_row(rule, row, span_of<T>(end), head.statistics + 2 * (first + r),
                  bits + r * bits_row);
    }
    T* target = size.padded ? output.data : head.output.data + first * head.output.row;
    gemm<T>(
        {rows, rule.width, end, weights, size.keys, 1, value.data, value.row, target, output.row});
    if (size.padded)
      copy_back(rule, output, rows, head.output.data + first * head.output.row, head.output.row);
  }
}

/// Data that the passes over one head's blocks of queries share.
template <typename T>
struct BackwardHead {
  const HeadRule& rule;
  const HeadBackward<T>& head;
  Sizes size;
  HeadTensor<const T> output_grad = {}, query = {}, key = {};  // whole rows
  HeadTensor<T> key_grad = {}, value_grad = {};                // whole rows
  HeadTensor<T> query_grad = {};           // a tile of whole rows if padded, else unused
  T *keys = nullptr, *values = nullptr;    // [E, K]
  T *weights = nullptr, *grads = nullptr;  // [kBlock, K]
  uint8_t* seen = nullptr;                 // [K]
  uint16_t* bits = nullptr;
};

/// Turns scores into weights after dropout, and gradients of these weights into gradients of the
/// scaled scores. Both are zero for hidden keys.
template <typename T>
void backward_row(const BackwardHead<T>& work, int64_t query, int64_t end, int64_t at,
                  const uint16_t* bits) {
  const HeadRule& rule = work.rule;
  const HeadBackward<T>& head = work.head;
  T *weights = work.weights + at, *grads = work.grads + at;
  const int64_t span = span_of<T>(end);
  const int64_t visible = finish_scores(rule, head.scope, query, end, weights, work.seen);
  for (int64_t k = visible; k < span; ++k) grads[k] = 0;
  const T highest = head.statistics[2 * query], factor = head.statistics[2 * query + 1];
  const bool drop = rule.keep_threshold > 0;
  Vector<T> sums = {};
  for (int64_t k = 0; k < span; k += kLanes<T>) {
    const Vector<T> weight = exp_of(load(weights + k) - highest) * factor;
    const Vector<T> grad = drop ? load(grads + k) * keep_of<T>(rule, bits + k) : load(grads + k);
    sums += weight * grad;
    store(weights + k, weight);
    store(grads + k, grad);
  }
  const T mean = sum_of<T>(sums);
  for (int64_t k = 0; k < span; k += kLanes<T>) {
    const Vector<T> weight = load(weights + k);
    store(grads + k, weight * (load(grads + k) - mean));
    if (drop) store(weights + k, weight * keep_of<T>(rule, bits + k));
  }
  if (head.bias_grad != nullptr) {
    T* bias_grad = head.bias_grad + query * rule.keys;
    for (int64_t k = 0; k < visible; ++k) bias_grad[k] += grads[k];
  }
  if (query < visible) grads[query] *= static_cast<T>(rule.diagonal_rate);
}

/// Computes weights, score gradients and query gradients of queries [first, first + rows) of block
/// `start`.
template <typename T>
void backward_tile(const BackwardHead<T>& work, int64_t start, int64_t first, int64_t rows) {
  const HeadRule& rule = work.rule;
  const HeadBackward<T>& head = work.head;
  const int64_t end = end_of_keys(rule, head.scope, first, rows), stride = work.size.keys;
  const int64_t at = (first - start) * stride;
  gemm<T>({rows, end, rule.width, head.query.data + first * head.query.row, head.query.row, 1,
           work.keys, stride, work.weights + at, stride, static_cast<T>(rule.scale)});
  gemm<T>({rows, end, rule.width, head.output_grad.data + first * head.output_grad.row,
           head.output_grad.row, 1, work.values, stride, work.grads + at, stride});
  int64_t bits_row = 0;
  if (rule.keep_threshold > 0) {
    bits_row = fill_tile_bits(rule, work.size, head.first_row + first, rows, end, work.bits);
  }
  for (int64_t r = 0; r < rows; ++r)
    backward_row(work, first + r, end, at + r * stride, work.bits + r * bits_row);
  T* result = head.query_grad.data + first * head.query_grad.row;
  const bool padded = work.size.padded;
  gemm<T>({rows, rule.width, end, work.grads + at, stride, 1, work.key.data, work.key.row,
           padded ? work.query_grad.data : result,
           padded ? work.query_grad.row : head.query_grad.row, static_cast<T>(rule.scale)});
  if (padded) copy_back(rule, work.query_grad, rows, result, head.query_grad.row);
}

/// Adds the contributions of queries [start, stop) to the gradients of the keys and values that
/// they see.
template <typename T>
void backward_keys(const BackwardHead<T>& work, int64_t start, int64_t stop) {
  const HeadRule& rule = work.rule;
  const int64_t stride = work.size.keys;
  const int64_t last = end_of_keys(rule, work.head.scope, start, stop - start);
  for (int64_t first = 0; first < last; first += kTile) {
    const int64_t rows = smaller(kTile, last - first);
    const int64_t from = rule.causal ? larger(start, first) : start;
    const int64_t at = (from - start) * stride + first;
    gemm<T>({rows, rule.width, stop - from, work.weights + at, 1, stride,
             work.output_grad.data + from * work.output_grad.row, work.output_grad.row,
             work.value_grad.data + first * work.value_grad.row, work.value_grad.row, 1,
             /*accumulate=*/true});
    gemm<T>({rows, rule.width, stop - from, work.grads + at, 1, stride,
             work.query.data + from * work.query.row, work.query.row,
             work.key_grad.data + first * work.key_grad.row, work.key_grad.row,
             static_cast<T>(rule.scale), /*accumulate=*/true});
  }
}

template <typename T>
void clear_rows(HeadTensor<T> tensor, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r)
    std::memset(tensor.data + r * tensor.row, 0, sizeof(T) * width);
}

template <typename T>
void backward_head(const HeadRule& rule, const HeadBackward<T>& head) {
  const Sizes size(rule);
  const int64_t keys = head.scope.keys;
  Scratch<T> scratch(head.scratch);
  BackwardHead<T> work{rule, head, size};
  work.keys = scratch.take(rule.width * size.keys);
  work.values = scratch.take(rule.width * size.keys);
  transpose(head.key.data, head.key.row, keys, rule.width, work.keys, size.keys);
  transpose(head.value.data, head.value.row, keys, rule.width, work.values, size.keys);
  work.output_grad = whole_rows(rule, head.output_grad, rule.queries, scratch);
  work.query = whole_rows(rule, head.query, rule.queries, scratch);
  work.key = whole_rows(rule, head.key, keys, scratch);
  work.key_grad = place_for(size, head.key_grad, rule.keys, scratch);
  work.value_grad = place_for(size, head.value_grad, rule.keys, scratch);
  work.query_grad = place_for(size, head.query_grad, kTile, scratch);
  work.weights = scratch.take(kBlock * size.keys);
  work.grads = scratch.take(kBlock * size.keys);
  work.seen = reinterpret_cast<uint8_t*>(scratch.take(size.keys));
  work.bits = reinterpret_cast<uint16_t*>(scratch.take(size.bits));
  const int64_t width = size.padded ? size.width : rule.width;
  clear_rows(work.key_grad, rule.keys, width);
  clear_rows(work.value_grad, rule.keys, width);
  for (int64_t start = 0; start < rule.queries; start += kBlock) {
    const int64_t stop = smaller(start + kBlock, rule.queries);
    for (int64_t first = start; first < stop; first += kTile) {
      backward_tile(work, start, first, smaller(kTile, stop - first));
    }
    backward_keys(work, start, stop);
  }
  if (size.padded) {
    copy_back(rule, work.key_grad, rule.keys, head.key_grad.data, head.key_grad.row);
    copy_back(rule, work.value_grad, rule.keys, head.value_grad.data, head.value_grad.row);
  }
}

}  // namespace

const IsaTable<HeadKernels> head_kernels = {
    {forward_scratch, backward_scratch, forward_head<float>, backward_head<float>},
    {forward_scratch, backward_scratch, forward_head<double>, backward_head<double>}};

}  // namespace rethink::RETHINK_ISA
