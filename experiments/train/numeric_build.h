// Identifies the code that computes: numbers of two builds with the same hash come from the same
// code.
#pragma once

#include <map>
#include <string>

namespace rethink {

/// Returns the hash of the code that computes numbers, of its compiler, flags and linked libraries. Comments, error
/// messages and the driver do not count; cmake/numeric_build.cmake lists what counts.
const char* numeric_build();

/// Returns the hash of each source's code that numeric_build() covers, by its path from the root of the checkout.
std::map<std::string, std::string> numeric_sources();

}  // namespace rethink
