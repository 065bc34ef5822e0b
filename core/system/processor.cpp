#include "core/system/processor.h"

#include <fstream>

namespace rethink {

std::string processor_fact(const std::string& name) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with(name)) continue;
    const size_t value = line.find(": ");
    return value == std::string::npos ? "" : line.substr(value + 2);
  }
  return "";
}

}  // namespace rethink
