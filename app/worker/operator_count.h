// How many operators of LibTorch some work calls.
#pragma once

#include <cstdint>
#include <functional>

namespace rethink {

/// Those that operators call included. Requires: nothing else computes meanwhile.
int64_t count_operators(const std::function<void()>& work);

}  // namespace rethink
