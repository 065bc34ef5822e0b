// Code that all fuzz targets share. A target is one file that defines LLVMFuzzerTestOneInput (libFuzzer).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "tests/support/mutations.h"

namespace rethink {

/// Writes the bytes to a file and calls `read` with its path. Aborts, which libFuzzer reports together with the bytes,
/// where the reader does not return or throw as fault_of_reading demands. Returns 0: the input may join the corpus.
int fuzz_reader(const uint8_t* data, size_t size, ErrorPlace place,
                const std::function<void(const std::filesystem::path&)>& read);

}  // namespace rethink
