// Initial weights drawn one parameter at a time from (seed, name), so that models which share a
// parameter's name and shape share its first value, whatever else they are made of: the arms of a
// sweep start alike.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace rethink {

/// Seeds the CPU generator of LibTorch from (seed, name): what is drawn next is the same in every
/// model.
void seed_for(uint64_t seed, const std::string& name);

/// float32 [sizes], uniform in [-bound, bound).
at::Tensor seeded_uniform(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                          double bound);

/// float32 [sizes], normal with mean 0.
at::Tensor seeded_normal(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                         double deviation);

}  // namespace rethink
