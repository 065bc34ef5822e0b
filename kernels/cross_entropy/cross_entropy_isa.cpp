#include "kernels/cross_entropy/cross_entropy_rows.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {
namespace {

template <typename T>
T highest_of(const T* row, int64_t columns) {
  Vector<T> most = splat(row[0]);
  int64_t k = 0;
  for (; k + kLanes<T> <= columns; k += kLanes<T>) {
    const Vector<T> next = load(row + k);
    most = next > most ? next : most;
  }
  T highest = max_of<T>(most);
  for (; k < columns; ++k) highest = row[k] > highest ? row[k] : highest;
  return highest;
}

/// Replaces scores by exp(score - highest). Returns their sum.
template <typename T>
T to_exponentials(T* row, int64_t columns, T highest) {
  Vector<T> sums = {};
  for (int64_t k = 0; k < columns; k += kLanes<T>) {
    const int64_t left = columns - k;
    const Vector<T> weight = exp_of(load_part(row + k, left) - highest) * ones_part<T>(left);
    sums += weight;
    store_part(row + k, weight, left);
  }
  return sum_of<T>(sums);
}

template <typename T>
void run(const CrossEntropyRows<T>& call) {
  for (int64_t r = 0; r < call.rows; ++r) {
    T* row = call.scores + r * call.columns;
    const int64_t target = call.targets[r];
    const T highest = highest_of(row, call.columns), wanted = row[target];
    const T sum = to_exponentials(row, call.columns, highest), factor = 1 / sum;
    for (int64_t k = 0; k < call.columns; ++k) row[k] *= factor;
    row[target] -= 1;
    call.losses[r] = static_cast<T>(__builtin_log(static_cast<double>(sum))) + (highest - wanted);
  }
}

}  // namespace

const IsaTable<CrossEntropyKernels> cross_entropy_kernels = {{run<float>}, {run<double>}};

}  // namespace rethink::RETHINK_ISA
