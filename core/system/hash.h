// SHA-256 (OpenSSL) for identities and files, CRC-32C for event lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace rethink {

/// Hash of a stream of bytes given in parts.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::string_view bytes);
  /// 64 lower-case hex digits. Requires: called once, last.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);

/// Throws MachineError when the file cannot be read.
std::string sha256_file(const std::filesystem::path& path);

/// Castagnoli CRC of `bytes`.
uint32_t crc32c(std::string_view bytes);

}  // namespace rethink
