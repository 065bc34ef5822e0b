#include "kernels/philox_dropout/philox_dropout_rows.h"
#include "kernels/simd/philox.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {
namespace {

/// Columns of a row whose bits are computed at once; a multiple of kKeepColumns.
constexpr int64_t kColumns = 1024;

template <typename T>
void drop_run(const DropoutRows<T>& call, const T* input, T* output, int64_t count,
              const uint16_t* bits) {
  int64_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) {
    store(output + i,
          load(input + i) * keep_factors<T>(bits + i, call.threshold, static_cast<T>(call.scale)));
  }
  for (; i < count; ++i)
    output[i] = input[i] * (bits[i] >= call.threshold ? static_cast<T>(call.scale) : T(0));
}

template <typename T>
void drop(const DropoutRows<T>& call) {
  uint16_t bits[kColumns + kPhiloxLanes * kKeepColumns];
  for (int64_t row = 0; row < call.rows; ++row) {
    for (int64_t from = 0; from < call.columns; from += kColumns) {
      const int64_t left = call.columns - from, count = left < kColumns ? left : kColumns;
      const uint64_t first =
          call.first + static_cast<uint64_t>(row * call.row_blocks + from / kKeepColumns);
      fill_keep_bits(call.key, first, 0, 1, blocks_of(count), bits);
      const int64_t at = row * call.columns + from;
      drop_run(call, call.input + at, call.output + at, count, bits);
    }
  }
}

}  // namespace

const IsaTable<DropoutKernels> dropout_kernels = {{drop<float>}, {drop<double>}};

}  // namespace rethink::RETHINK_ISA
