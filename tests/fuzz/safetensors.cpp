// Weights from other programs, and our own checkpoints. Reads every byte that a tensor claims.
#include "core/format/safetensors.h"

#include "tests/fuzz/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rethink::fuzz_reader(data, size, rethink::ErrorPlace::file,
                              [](const std::filesystem::path& file) {
                                const rethink::SafetensorsFile tensors(file);
                                volatile uint8_t last = 0;
                                for (const auto& [name, view] : tensors.tensors()) {
                                  for (const std::byte value : view.bytes)
                                    last = static_cast<uint8_t>(value);
                                }
                                static_cast<void>(last);
                              });
}
