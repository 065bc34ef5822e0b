// SHA-256 (OpenSSL) for identities and files, CRC-32C for event lines, and a cache between
// processes of results that follow from a file's content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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

/// Returns the result of `find` on a file's content, a text of `length` bytes, from a cache, since
/// hashing 500 MB for each plan or attempt would cost more than a small trial. The cache is in
/// `folder`, under the suffix `what`, by the file's path, size, modification time and inode. The
/// folder may be deleted. If it is empty or cannot be written, nothing is cached. Throws
/// MachineError if the file cannot be read.
std::string remembered(const std::filesystem::path& file, const std::filesystem::path& folder,
                       const std::string& what, size_t length,
                       const std::function<std::string()>& find);

/// Returns the SHA-256 of a file, from this cache if possible.
std::string remembered_sha256(const std::filesystem::path& file,
                              const std::filesystem::path& folder);

}  // namespace rethink
