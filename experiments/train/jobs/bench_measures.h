// The measurements of the job `bench`: memory of tensors on the CPU, with a limit below the
// machine's memory, and quartiles of times.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/attempt/job.h"

namespace rethink {

/// Error: a requested tensor would exceed the limit.
struct MemoryLimitError : OutOfMemoryError {
  using OutOfMemoryError::OutOfMemoryError;
};

/// While an object of this class exists, new memory of tensors on the CPU is counted, and a tensor
/// beyond the limit throws MemoryLimitError. Scratch memory within operators (of a core, of packed
/// matrices) is not counted. Tensors may outlive the object. Thread: one object at a time in a
/// process; tensors may be made on any thread.
class CountedMemory {
 public:
  explicit CountedMemory(uint64_t limit_bytes);
  ~CountedMemory();
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

  /// Returns the peak so far [bytes].
  uint64_t peak_bytes() const;
};

/// The median of measured times, and their spread.
struct Quartiles {
  double low = 0, median = 0, high = 0;
};

/// Returns a quantile: by position in the sorted values, with linear interpolation. Requires: not
/// empty.
Quartiles quartiles_of(std::vector<double> values);

}  // namespace rethink
