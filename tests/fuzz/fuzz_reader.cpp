#include "tests/fuzz/fuzz_reader.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/files/file.h"
#include "tests/support/temp_folder.h"

namespace rethink {

int fuzz_reader(const uint8_t* data, size_t size, ErrorPlace place,
                const std::function<void(const std::filesystem::path&)>& read) {
  static const TempFolder folder{memory_folder()};
  const std::filesystem::path file = folder / "given";
  write_text(file, std::string(reinterpret_cast<const char*>(data), size));
  const std::string fault = fault_of_reading(file, place, [&] { read(file); });
  if (!fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}

}  // namespace rethink
