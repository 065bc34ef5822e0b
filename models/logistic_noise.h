// Logistic random numbers: the difference of two Gumbel numbers, which the Gumbel-sigmoid adds.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

/// float32 [sizes], log(u / (1-u)) of u uniform in (0, 1). Random: Philox, so that a resumed run
/// and any device get the same numbers, but for the last bit of the logarithm: they are made on the
/// CPU and copied.
at::Tensor logistic_noise(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device);

}  // namespace rethink
