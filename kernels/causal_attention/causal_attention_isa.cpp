// Tiles of eight queries against the keys that they may see: scores, softmax, dropout and the
// product with the values stay in the cache, and what lies above the diagonal is never computed.
#include "kernels/causal_attention/causal_attention_heads.h"
#include "kernels/simd/gemm.h"
#include "kernels/simd/philox.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {
namespace {

constexpr int64_t kTile = 8;  // queries, or keys, that are handled together
constexpr int64_t kBlock =
    128;  // queries whose weights the backward pass holds at once; a multiple of kTile
constexpr int64_t kLine = 16;  // elements that scratch rows are rounded up to

/// Where scratch memory goes, in order.
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

struct Sizes {
  explicit Sizes(const HeadRule& rule)
      : tokens(round_up(rule.tokens, kLine)),
        width(round_up(rule.width, kLine)),
        padded(rule.width != width),
        blocks(round_up(rule.tokens, 8) / 8),
        bits(round_up(kTile * blocks, kPhiloxLanes) * 8 + kLine) {}
  int64_t tokens, width;
  bool padded;     // rows of width are not whole vectors and need a copy
  int64_t blocks;  // Philox blocks of a row of weights
  int64_t bits;    // uint16 of a tile's dropout
};

int64_t forward_scratch(const HeadRule& rule) {
  const Sizes size(rule);
  return rule.width * size.tokens + kTile * size.tokens +
         (size.padded ? (size.tokens + kTile) * size.width : 0) + size.bits + 8 * kLine;
}

int64_t backward_scratch(const HeadRule& rule) {
  const Sizes size(rule);
  return 2 * rule.width * size.tokens + 2 * kBlock * size.tokens +
         (size.padded ? (5 * size.tokens + kTile) * size.width : 0) + size.bits + 16 * kLine;
}

int64_t visible_keys(const HeadRule& rule, int64_t query) {
  return rule.diagonal_masked && query > 0 ? query : query + 1;
}

int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}
int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/// The tensor itself, or a copy whose rows are filled up to whole vectors.
template <typename T>
HeadTensor<const T> whole_rows(const HeadRule& rule, const Sizes& size, HeadTensor<const T> tensor,
                               Scratch<T>& scratch) {
  if (!size.padded) return tensor;
  T* copy = scratch.take(rule.tokens * size.width);
  copy_padded(tensor.data, tensor.row, rule.tokens, rule.width, copy, size.width);
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

/// The dropout bits of a tile's queries for keys [0, end); returns how many lie between two rows.
int64_t fill_tile_bits(const HeadRule& rule, const Sizes& size, int64_t row, int64_t rows,
                       int64_t end, uint16_t* bits) {
  const int64_t blocks = round_up(end, 8) / 8;
  fill_keep_bits(rule.key, static_cast<uint64_t>(row) * static_cast<uint64_t>(size.blocks),
                 size.blocks, rows, blocks, bits);
  return blocks * 8;
}

/// Scores of one query to weights, zero from `visible` to `end`. Returns their log of the sum of
/// exp.
template <typename T>
T softmax_row(T* row, int64_t visible, int64_t end) {
  const int64_t padded = round_up(visible, kLanes<T>);
  for (int64_t k = visible; k < padded; ++k) row[k] = static_cast<T>(-1e30);
  Vector<T> most = load(row);
  for (int64_t k = kLanes<T>; k < padded; k += kLanes<T>) {
    const Vector<T> next = load(row + k);
    most = next > most ? next : most;
  }
  const T highest = max_of<T>(most);
  Vector<T> sums = {};
  for (int64_t k = 0; k < padded; k += kLanes<T>) {
    const Vector<T> weight = exp_of(load(row + k) - highest);
    sums += weight;
    store(row + k, weight);
  }
  const T sum = sum_of<T>(sums);
  const T factor = 1 / sum;
  for (int64_t k = 0; k < padded; k += kLanes<T>) store(row + k, load(row + k) * factor);
  for (int64_t k = visible; k < end; ++k) row[k] = 0;
  return highest + static_cast<T>(__builtin_log(static_cast<double>(sum)));
}

template <typename T>
void drop_row(const HeadRule& rule, T* row, int64_t visible, const uint16_t* bits) {
  for (int64_t k = 0; k < visible; k += kLanes<T>) {
    store(row + k, load(row + k) * keep_factors<T>(bits + k, rule.keep_threshold,
                                                   static_cast<T>(rule.keep_scale)));
  }
}

template <typename T>
void forward_head(const HeadRule& rule, const HeadForward<T>& head) {
  const Sizes size(rule);
  Scratch<T> scratch(head.scratch);
  T* keys = scratch.take(rule.width * size.tokens);  // [E, T]
  transpose(head.key.data, head.key.row, rule.tokens, rule.width, keys, size.tokens);
  const HeadTensor<const T> value = whole_rows(rule, size, head.value, scratch);
  const HeadTensor<T> output = place_for(size, head.output, kTile, scratch);
  T* weights = scratch.take(kTile * size.tokens);
  uint16_t* bits = reinterpret_cast<uint16_t*>(scratch.take(size.bits));
  for (int64_t first = 0; first < rule.tokens; first += kTile) {
    const int64_t rows = smaller(kTile, rule.tokens - first), end = first + rows;
    gemm<T>({rows, end, rule.width, head.query.data + first * head.query.row, head.query.row, 1,
             keys, size.tokens, weights, size.tokens, static_cast<T>(rule.scale)});
    int64_t bits_row = 0;
    if (rule.keep_threshold > 0) {
      bits_row = fill_tile_bits(rule, size, head.first_row + first, rows, end, bits);
    }
    for (int64_t r = 0; r < rows; ++r) {
      T* row = weights + r * size.tokens;
      const int64_t visible = visible_keys(rule, first + r);
      row[first + r] *= static_cast<T>(rule.diagonal_rate);
      head.logsumexp[first + r] = softmax_row(row, visible, end);
      if (rule.keep_threshold > 0) drop_row(rule, row, visible, bits + r * bits_row);
    }
    T* target = size.padded ? output.data : head.output.data + first * head.output.row;
    gemm<T>({rows, rule.width, end, weights, size.tokens, 1, value.data, value.row, target,
             output.row});
    if (size.padded)
      copy_back(rule, output, rows, head.output.data + first * head.output.row, head.output.row);
  }
}

/// Turns scores into the weights that met the values (dropout applied), and the gradients of those
/// into gradients of the scaled scores; both are zero from the last visible key to `end`.
template <typename T>
void backward_row(const HeadRule& rule, int64_t query, int64_t end, T logsumexp, T* weights,
                  T* grads, const uint16_t* bits) {
  const int64_t visible = visible_keys(rule, query), padded = round_up(visible, kLanes<T>);
  weights[query] *= static_cast<T>(rule.diagonal_rate);
  for (int64_t k = visible; k < padded; ++k) weights[k] = static_cast<T>(-1e30), grads[k] = 0;
  const bool drop = rule.keep_threshold > 0;
  Vector<T> sums = {};
  for (int64_t k = 0; k < padded; k += kLanes<T>) {
    const Vector<T> weight = exp_of(load(weights + k) - logsumexp);
    Vector<T> grad = load(grads + k);
    if (drop)
      grad *= keep_factors<T>(bits + k, rule.keep_threshold, static_cast<T>(rule.keep_scale));
    sums += weight * grad;
    store(weights + k, weight);
    store(grads + k, grad);
  }
  const T mean = sum_of<T>(sums);
  for (int64_t k = 0; k < padded; k += kLanes<T>) {
    const Vector<T> weight = load(weights + k);
    store(grads + k, weight * (load(grads + k) - mean));
    if (drop)
      store(weights + k, weight * keep_factors<T>(bits + k, rule.keep_threshold,
                                                  static_cast<T>(rule.keep_scale)));
  }
  for (int64_t k = visible; k < end; ++k) weights[k] = 0, grads[k] = 0;
  grads[query] *= static_cast<T>(rule.diagonal_rate);
}

/// What the passes over one head's blocks of queries share.
template <typename T>
struct BackwardHead {
  const HeadRule& rule;
  const HeadBackward<T>& head;
  Sizes size;
  HeadTensor<const T> output_grad, query, key;  // whole rows
  HeadTensor<T> key_grad, value_grad;           // whole rows
  HeadTensor<T> query_grad;                     // a tile of whole rows where padded, else unused
  T *keys, *values;                             // [E, T]
  T *weights, *grads;                           // [kBlock, T]
  uint16_t* bits;
};

/// Weights, score gradients and query gradients of queries [first, first + rows), which block
/// `start` holds.
template <typename T>
void backward_tile(const BackwardHead<T>& work, int64_t start, int64_t first, int64_t rows) {
  const HeadRule& rule = work.rule;
  const HeadBackward<T>& head = work.head;
  const int64_t end = first + rows, stride = work.size.tokens;
  T* weights = work.weights + (first - start) * stride;
  T* grads = work.grads + (first - start) * stride;
  gemm<T>({rows, end, rule.width, head.query.data + first * head.query.row, head.query.row, 1,
           work.keys, stride, weights, stride, static_cast<T>(rule.scale)});
  gemm<T>({rows, end, rule.width, head.output_grad.data + first * head.output_grad.row,
           head.output_grad.row, 1, work.values, stride, grads, stride});
  int64_t bits_row = 0;
  if (rule.keep_threshold > 0) {
    bits_row = fill_tile_bits(rule, work.size, head.first_row + first, rows, end, work.bits);
  }
  for (int64_t r = 0; r < rows; ++r) {
    backward_row(rule, first + r, end, head.logsumexp[first + r], weights + r * stride,
                 grads + r * stride, work.bits + r * bits_row);
  }
  T* result = head.query_grad.data + first * head.query_grad.row;
  const bool padded = work.size.padded;
  gemm<T>({rows, rule.width, end, grads, stride, 1, work.key.data, work.key.row,
           padded ? work.query_grad.data : result,
           padded ? work.query_grad.row : head.query_grad.row, static_cast<T>(rule.scale)});
  if (padded) copy_back(rule, work.query_grad, rows, result, head.query_grad.row);
}

/// Adds what queries [start, stop) give to the gradients of the keys and values that they see.
template <typename T>
void backward_keys(const BackwardHead<T>& work, int64_t start, int64_t stop) {
  const HeadRule& rule = work.rule;
  const int64_t stride = work.size.tokens;
  for (int64_t first = 0; first < stop; first += kTile) {
    const int64_t rows = smaller(kTile, stop - first), from = larger(start, first);
    const int64_t at = (from - start) * stride + first;
    const bool accumulate = first < start;
    gemm<T>({rows, rule.width, stop - from, work.weights + at, 1, stride,
             work.output_grad.data + from * work.output_grad.row, work.output_grad.row,
             work.value_grad.data + first * work.value_grad.row, work.value_grad.row, 1,
             accumulate});
    gemm<T>({rows, rule.width, stop - from, work.grads + at, 1, stride,
             work.query.data + from * work.query.row, work.query.row,
             work.key_grad.data + first * work.key_grad.row, work.key_grad.row,
             static_cast<T>(rule.scale), accumulate});
  }
}

template <typename T>
void backward_head(const HeadRule& rule, const HeadBackward<T>& head) {
  const Sizes size(rule);
  Scratch<T> scratch(head.scratch);
  BackwardHead<T> work{rule, head, size,    {},      {},      {},      {},
                       {},   {},   nullptr, nullptr, nullptr, nullptr, nullptr};
  work.keys = scratch.take(rule.width * size.tokens);
  work.values = scratch.take(rule.width * size.tokens);
  transpose(head.key.data, head.key.row, rule.tokens, rule.width, work.keys, size.tokens);
  transpose(head.value.data, head.value.row, rule.tokens, rule.width, work.values, size.tokens);
  work.output_grad = whole_rows(rule, size, head.output_grad, scratch);
  work.query = whole_rows(rule, size, head.query, scratch);
  work.key = whole_rows(rule, size, head.key, scratch);
  work.key_grad = place_for(size, head.key_grad, rule.tokens, scratch);
  work.value_grad = place_for(size, head.value_grad, rule.tokens, scratch);
  work.query_grad = place_for(size, head.query_grad, kTile, scratch);
  work.weights = scratch.take(kBlock * size.tokens);
  work.grads = scratch.take(kBlock * size.tokens);
  work.bits = reinterpret_cast<uint16_t*>(scratch.take(size.bits));
  for (int64_t start = 0; start < rule.tokens; start += kBlock) {
    const int64_t stop = smaller(start + kBlock, rule.tokens);
    for (int64_t first = start; first < stop; first += kTile) {
      backward_tile(work, start, first, smaller(kTile, stop - first));
    }
    backward_keys(work, start, stop);
  }
  if (size.padded) {
    copy_back(rule, work.key_grad, rule.tokens, head.key_grad.data, head.key_grad.row);
    copy_back(rule, work.value_grad, rule.tokens, head.value_grad.data, head.value_grad.row);
  }
}

}  // namespace

const HeadKernels head_kernels = {forward_scratch,      backward_scratch,
                                  forward_head<float>,  forward_head<double>,
                                  backward_head<float>, backward_head<double>};

}  // namespace rethink::RETHINK_ISA
