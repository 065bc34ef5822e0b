// What CPU kernels need of threads: parts of the rows whose sums do not depend on the number of threads,
// the fewest rows that are worth a thread, and memory for each thread.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rethink {

/// Of the rows, whose sums are added in order: fixed, unlike threads.
constexpr int64_t kParts = 16;

/// Calls each(part, begin, end) for the parts of the rows.
template <typename Each>
void over_parts(int64_t rows, const Each& each) {
  const int64_t size = (rows + kParts - 1) / kParts;
  at::parallel_for(0, kParts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      each(part, std::min(part * size, rows), std::min((part + 1) * size, rows));
    }
  });
}

/// How many rows of so many elements one thread takes at least, where an element costs a few operations: fewer cost
/// more to hand out than to do.
inline int64_t rows_worth_a_thread(int64_t elements_of_row) {
  constexpr int64_t kElements = 32768;
  return std::max<int64_t>(1, kElements / elements_of_row);
}

/// Memory for inner loops: bytes aligned to 64, kept and grown by the calling thread. The next call on
/// the same thread gets the same memory. A step needs it hundreds of times.
void* thread_scratch_bytes(size_t bytes);

template <typename T>
T* thread_scratch(int64_t elements) {
  return static_cast<T*>(thread_scratch_bytes(static_cast<size_t>(elements) * sizeof(T)));
}

}  // namespace rethink
