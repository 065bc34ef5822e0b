// Rows over threads where what is summed over rows must not depend on how many threads there are.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
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

}  // namespace rethink
