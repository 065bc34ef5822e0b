// Help for threads in CPU kernels: parts of rows whose sums do not depend on the number of threads,
// the smallest number of rows that is worth a thread, and scratch memory per thread.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rethink {

/// Number of parts of the rows, whose sums are added in order. It is fixed, unlike the number of
/// threads.
constexpr int64_t kParts = 16;

/// Calls each(part, begin, end) for each part of the rows.
template <typename Each>
void over_parts(int64_t rows, const Each& each) {
  const int64_t size = (rows + kParts - 1) / kParts;
  at::parallel_for(0, kParts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      each(part, std::min(part * size, rows), std::min((part + 1) * size, rows));
    }
  });
}

/// Returns the smallest number of rows with so many elements that one thread should get, if an
/// element costs a few operations. Starting a thread for fewer rows would cost more than computing
/// them.
inline int64_t rows_worth_a_thread(int64_t elements_of_row) {
  constexpr int64_t kElements = 32768;
  return std::max<int64_t>(1, kElements / elements_of_row);
}

/// Returns scratch memory of the calling thread, aligned to 64 bytes. The next call in the same
/// thread gets the same memory, since a step needs scratch memory hundreds of times.
void* thread_scratch_bytes(size_t bytes);

template <typename T>
T* thread_scratch(int64_t elements) {
  return static_cast<T*>(thread_scratch_bytes(static_cast<size_t>(elements) * sizeof(T)));
}

}  // namespace rethink
