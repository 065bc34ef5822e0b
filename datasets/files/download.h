// Files from the web: resumed where they broke off, checked before they take their name.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace rethink {

struct DownloadOptions {
  int attempts = 6;  // in a row that brought no new byte; one where nobody answers at all
  std::chrono::milliseconds pause{1000};  // before the second attempt; doubles from one to the next
  uint64_t most_bytes = 0;                // that the file can have; 0: nobody knows
  std::function<void(uint64_t done, uint64_t total)>
      progress;  // bytes; total = 0 when the server does not say
};

/// Fetches `url` into `file`. What has come so far is in FILE.part, also after a failure, and the
/// next call goes on from there; a server that knows no ranges is read from the beginning again.
/// `sha256`: what the bytes must hash to, or "" when nobody knows. Bytes that do not are moved to
/// FILE.rejected; what grows beyond `most_bytes` is removed. Throws ConfigError where `url` is no
/// address, MachineError: no connection, refused by the server, too many bytes, wrong hash, disk.
/// Durable: the file.
void download(const std::string& url, const std::filesystem::path& file, const std::string& sha256,
              const DownloadOptions& options);

}  // namespace rethink
