// Counts what this process reads from files.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace rethink {

/// Returns the bytes that this process has read by system calls, by /proc/self/io.
inline int64_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  int64_t bytes = 0;
  io >> name >> bytes;  // "rchar: 123"
  return bytes;
}

}  // namespace rethink
