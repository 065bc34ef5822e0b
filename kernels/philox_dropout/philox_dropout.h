// Dropout whose random numbers are a function of (key, position): the same on every device and
// thread count, after every resume, and again in the backward pass, so that no mask is kept. On one
// CPU core it costs a tenth of at::bernoulli_.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

/// Zeroes each element with probability p and divides the others by what is kept
/// (kernels/philox_dropout/keep_rule.h).
///
/// input   float [...,N]
/// p       0 <= p < 1, rounded to a multiple of 1/65536; 0 returns the input itself
/// returns float [...,N]  differentiable
///
/// Throws c10::Error when p is out of range or the input is not floating.
at::Tensor philox_dropout(const at::Tensor& input, double p, PhiloxKey key);

}  // namespace rethink
