// Uniform random numbers that are a function of (key, position): the same bits on every device and thread
// count, and after every resume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

/// float32 [sizes] on `device`, uniform in (0, 1), by kernels/philox_uniform/open_uniform.h. They are
/// drawn on the device: the host neither makes nor copies them.
at::Tensor philox_uniform(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device);

}  // namespace rethink
