#include "kernels/simd/threads.h"

#include <cstdlib>
#include <memory>
#include <new>

namespace rethink {

void* thread_scratch_bytes(size_t bytes) {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  static thread_local std::unique_ptr<void, Free> memory;
  static thread_local size_t held = 0;
  if (bytes > held) {
    held = (bytes + 63) / 64 * 64;
    memory.reset(std::aligned_alloc(64, held));
    if (memory == nullptr) {
      held = 0;
      throw std::bad_alloc();
    }
  }
  return memory.get();
}

}  // namespace rethink
