// Replaces LibTorch's errors on exhausted memory by messages for users.
#pragma once

#include <functional>

namespace rethink {

/// Returns the result of `run`. If memory runs out, throws MachineError instead of LibTorch's
/// error, which contains a stack.
int with_memory_errors(const std::function<int()>& run);

}  // namespace rethink
