#include "kernels/simd/gemm.h"
#include "kernels/transposed/transposed_rows.h"

namespace rethink::RETHINK_ISA {
namespace {

constexpr int64_t kBlock = 16;  // float32 numbers per cache line

/// Transposes a whole block, touching every cache line of both matrices once. If the distance of
/// rows is a power of two, sixteen rows do not fit into the cache together.
template <typename T>
void turn_block(const T* from, int64_t from_row, T* to, int64_t to_row) {
  T rows[kBlock * kBlock], columns[kBlock * kBlock];
  for (int64_t r = 0; r < kBlock; ++r)
    std::memcpy(rows + r * kBlock, from + r * from_row, sizeof(T) * kBlock);
  transpose_block(rows, kBlock, kBlock, kBlock, columns, kBlock);
  for (int64_t c = 0; c < kBlock; ++c)
    std::memcpy(to + c * to_row, columns + c * kBlock, sizeof(T) * kBlock);
}

template <typename T>
void run(const TransposeRows<T>& call) {
  for (int64_t r = call.begin; r < call.end; r += kBlock) {
    const int64_t rows = call.end - r < kBlock ? call.end - r : kBlock;
    for (int64_t c = 0; c < call.columns; c += kBlock) {
      const int64_t columns = call.columns - c < kBlock ? call.columns - c : kBlock;
      const T* from = call.from + r * call.columns + c;
      T* to = call.to + c * call.rows + r;
      if (rows == kBlock && columns == kBlock) {
        turn_block(from, call.columns, to, call.rows);
      } else {
        transpose_block(from, call.columns, rows, columns, to, call.rows);
      }
    }
  }
}

}  // namespace

const IsaTable<TransposeKernels> transpose_kernels = {{run<float>}, {run<double>}};

}  // namespace rethink::RETHINK_ISA
