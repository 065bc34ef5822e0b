// Memory for one core's inner loops.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rethink {

/// Bytes aligned to 64, kept and grown by the calling thread: the next call on the same thread gets
/// the same memory. A step needs it hundreds of times.
void* thread_scratch_bytes(size_t bytes);

template <typename T>
T* thread_scratch(int64_t elements) {
  return static_cast<T*>(thread_scratch_bytes(static_cast<size_t>(elements) * sizeof(T)));
}

}  // namespace rethink
