// Small matrix products of an attention head, for matrices that fit into the cache. They need no
// packing, no threads and no call of a BLAS, whose start takes as long as a product of 32 x 32 x
// 32. For _isa.cpp files only (isa.h).
#pragma once

#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {

/// Arguments of C = alpha A B, or C += alpha A B.
///
/// a  [rows, depth]     element (i, k) at a[i * a_row + k * a_column]: transposed or not
/// b  [depth, columns]  row k at b + k * b_row
/// c  [rows, columns]   row i at c + i * c_row
///
/// Requires: b and c may be read and written up to the next full vector of columns.
template <typename T>
struct Gemm {
  int64_t rows, columns, depth;
  const T* a;
  int64_t a_row, a_column;
  const T* b;
  int64_t b_row;
  T* c;
  int64_t c_row;
  T alpha = 1;
  bool accumulate = false;
};

/// Computes rows [i, i + rows) and vectors [j, j + vectors) of C in registers.
template <typename T, int rows, int vectors>
inline void gemm_tile(const Gemm<T>& call, int64_t i, int64_t j) {
  Vector<T> sum[rows][vectors] = {};
  const T* a = call.a + i * call.a_row;
  const T* b = call.b + j * kLanes<T>;
  const int64_t a_row = call.a_row;
  for (int64_t k = 0; k < call.depth; ++k, a += call.a_column, b += call.b_row) {
    Vector<T> row_of_b[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) row_of_b[v] = load(b + v * kLanes<T>);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const Vector<T> element = splat(a[r * a_row]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] += element * row_of_b[v];
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    T* c = call.c + (i + r) * call.c_row + j * kLanes<T>;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v, c += kLanes<T>) {
      store(c, call.accumulate ? load(c) + call.alpha * sum[r][v] : call.alpha * sum[r][v]);
    }
  }
}

template <typename T, int rows>
inline void gemm_rows(const Gemm<T>& call, int64_t i) {
  const int64_t vectors = round_up(call.columns, kLanes<T>) / kLanes<T>;
  int64_t j = 0;
  for (; j + kTileVectors <= vectors; j += kTileVectors)
    gemm_tile<T, rows, kTileVectors>(call, i, j);
  if (kTileVectors > 2 && vectors - j == 2) gemm_tile<T, rows, 2>(call, i, j);
  if (vectors - j == 1) gemm_tile<T, rows, 1>(call, i, j);
}

template <typename T>
inline void gemm(const Gemm<T>& call) {
  int64_t i = 0;
  for (; i + kTileRows <= call.rows; i += kTileRows) gemm_rows<T, kTileRows>(call, i);
  if (kTileRows > 4 && i + 4 <= call.rows) gemm_rows<T, 4>(call, i), i += 4;
  if (i + 2 <= call.rows) gemm_rows<T, 2>(call, i), i += 2;
  if (i < call.rows) gemm_rows<T, 1>(call, i);
}

/// Sets to[c, r] = from[r, c].
template <typename T>
inline void transpose_block(const T* from, int64_t from_row, int64_t rows, int64_t columns, T* to,
                            int64_t to_row) {
  using Four = Vector<T, 4>;
  const int64_t whole_rows = rows / 4 * 4, whole_columns = columns / 4 * 4;
  for (int64_t r = 0; r < whole_rows; r += 4) {
    for (int64_t c = 0; c < whole_columns; c += 4) {
      Four in[4];
      for (int i = 0; i < 4; ++i) std::memcpy(&in[i], from + (r + i) * from_row + c, sizeof(Four));
      const Four low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
      const Four high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
      const Four low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
      const Four high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
      const Four out[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                           __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                           __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                           __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
      for (int i = 0; i < 4; ++i) std::memcpy(to + (c + i) * to_row + r, &out[i], sizeof(Four));
    }
    for (int64_t c = whole_columns; c < columns; ++c) {
      for (int i = 0; i < 4; ++i) to[c * to_row + r + i] = from[(r + i) * from_row + c];
    }
  }
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t r = whole_rows; r < rows; ++r) to[c * to_row + r] = from[r * from_row + c];
  }
}

/// Does the same, and fills rows of `to` with zeros up to `to_row`. Requires: to_row >= rows.
template <typename T>
inline void transpose(const T* from, int64_t from_row, int64_t rows, int64_t columns, T* to,
                      int64_t to_row) {
  transpose_block(from, from_row, rows, columns, to, to_row);
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t r = rows; r < to_row; ++r) to[c * to_row + r] = 0;
  }
}

/// Copies rows to rows at a distance of `to_row`, and fills the rest of each row with zeros.
template <typename T>
inline void copy_padded(const T* from, int64_t from_row, int64_t rows, int64_t columns, T* to,
                        int64_t to_row) {
  for (int64_t r = 0; r < rows; ++r) {
    std::memcpy(to + r * to_row, from + r * from_row, sizeof(T) * columns);
    for (int64_t c = columns; c < to_row; ++c) to[r * to_row + c] = 0;
  }
}

}  // namespace rethink::RETHINK_ISA
