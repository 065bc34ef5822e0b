// Uniform random numbers that depend only on (key, position). Their bits are the same on every
// device, for any number of threads and after a resume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

/// Returns float32 [sizes] on `device`, uniform in (0, 1), by
/// kernels/philox_uniform/open_uniform.h. The device draws them; the host copies nothing.
at::Tensor philox_uniform(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device);

}  // namespace rethink
