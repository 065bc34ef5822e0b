// The time that a plan takes to hash the files that its trials read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "experiments/attempt/command/folder_copy.h"

namespace rethink {

struct HashingTime {
  double seconds = 0;
  uintmax_t bytes = 0;

  /// Returns hash(file), and adds its time and the file's size.
  std::string hashed(const std::filesystem::path& file, const FileHash& hash);
};

/// Returns "hashing files of data and code took 3.2 s; ..."; empty if the time was short. A small
/// file never counts as long, however busy the machine is.
std::string hashing_text(const HashingTime& time);

}  // namespace rethink
