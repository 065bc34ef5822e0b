// The measurements of the job `bench`: memory of tensors on the CPU, with a limit below the
// machine's, and quartiles of times.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/attempt/job.h"

namespace rethink {

/// Error: a requested tensor would exceed the limit.
struct MemoryLimitError : OutOfMemoryError {
  using OutOfMemoryError::OutOfMemoryError;
};

/// While it lives, what tensors on the CPU take beyond what they had before is counted, and one
/// beyond the limit is a MemoryLimitError. What operators take for themselves (a core's scratch, a
/// library's packed matrices) is not counted. Tensors may outlive it. Thread: one at a time in a
/// process; tensors may be made on any.
class CountedMemory {
 public:
  explicit CountedMemory(uint64_t limit_bytes);
  ~CountedMemory();
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

  /// The most at once so far.
  uint64_t peak_bytes() const;
};

/// The middle of measured times, and how far they spread.
struct Quartiles {
  double low = 0, median = 0, high = 0;
};

/// Returns a quantile: by position in the sorted values, with linear interpolation. Requires: not
/// empty.
Quartiles quartiles_of(std::vector<double> values);

}  // namespace rethink
