#include "experiments/plan/expand/hashing_time.h"

#include <fmt/format.h>

#include "core/clock.h"

namespace rethink {

std::string HashingTime::hashed(const std::filesystem::path& file, const FileHash& hash) {
  const double begun_s = monotonic_seconds();
  std::string sha256 = hash(file);
  seconds += monotonic_seconds() - begun_s;
  std::error_code none;
  const uintmax_t size = std::filesystem::file_size(file, none);
  if (!none) bytes += size;
  return sha256;
}

std::string hashing_text(const HashingTime& time) {
  constexpr double kLong_s = 1;
  constexpr uintmax_t kMany = 50'000'000;  // [bytes]
  if (time.seconds <= kLong_s || time.bytes < kMany) return "";
  return fmt::format(
      "hashing files of data and code took {:.1f} s; large files that do not change are not hashed "
      "again",
      time.seconds);
}

}  // namespace rethink
