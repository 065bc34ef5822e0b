#include "app/worker/memory_errors.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <new>

#include "core/error.h"
#include "experiments/attempt/job.h"
#include "experiments/train/device/device.h"

namespace rethink {
namespace {

constexpr const char* kTooLittleMemory =
    "memory ran out; give fewer or shorter texts, or use a machine with more memory";

}  // namespace

int with_memory_errors(const std::function<int()>& run) {
  try {
    return run();
  } catch (const c10::Error& error) {
    try {
      rethrow_if_out_of_memory(error);
    } catch (const OutOfMemoryError& memory) {
      throw MachineError("out-of-memory", fmt::format("{} ({})", kTooLittleMemory, memory.what()));
    }
    throw;
  } catch (const std::bad_alloc&) {
    throw MachineError("out-of-memory", kTooLittleMemory);
  }
}

}  // namespace rethink
