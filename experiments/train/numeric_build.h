// Which build computes: numbers of two builds with the same hash come from the same code.
#pragma once

namespace rethink {

/// Hash of the code that computes numbers, of its compiler, flags and linked libraries. Comments,
/// error messages and the driver do not count; cmake/numeric_build.cmake lists what does.
const char* numeric_build();

}  // namespace rethink
