// Which build makes tokens: caches of two builds with the same hash hold the same.
#pragma once

namespace rethink {

/// Hash of the code that reads data sets and makes tokens, of its compiler, flags and linked
/// libraries. cmake/numeric_build.cmake lists what counts.
const char* dataset_build();

}  // namespace rethink
