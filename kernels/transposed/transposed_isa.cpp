#include "kernels/simd/gemm.h"
#include "kernels/transposed/transposed_rows.h"

namespace rethink::RETHINK_ISA {
namespace {

constexpr int64_t kBlock = 16;  // float32 numbers of a cache line

template <typename T>
void run(const TransposeRows<T>& call) {
  for (int64_t r = call.begin; r < call.end; r += kBlock) {
    const int64_t rows = call.end - r < kBlock ? call.end - r : kBlock;
    for (int64_t c = 0; c < call.columns; c += kBlock) {
      const int64_t columns = call.columns - c < kBlock ? call.columns - c : kBlock;
      transpose_block(call.from + r * call.columns + c, call.columns, rows, columns,
                      call.to + c * call.rows + r, call.rows);
    }
  }
}

}  // namespace

const TransposeKernels transpose_kernels = {run<float>, run<double>};

}  // namespace rethink::RETHINK_ISA
