// YAML that people write: sweeps, presets and specs.
#include "core/yaml/yaml.h"

#include "tests/fuzz/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rethink::fuzz_reader(data, size, rethink::ErrorPlace::line,
                              [](const std::filesystem::path& file) { rethink::read_yaml(file); });
}
