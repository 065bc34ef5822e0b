// Messages of commands for exhausted memory.
#pragma once

#include <functional>

namespace rethink {

/// Returns what `run` returns. Throws MachineError in the place of LibTorch's error, which quotes a
/// stack, when memory runs out.
int with_memory_errors(const std::function<int()>& run);

}  // namespace rethink
