// Downloads from the web. An interrupted download resumes, and a file gets its name after its
// check.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace rethink {

struct DownloadOptions {
  int attempts = 6;  // in a row without a new byte; only one if nobody answers at all
  std::chrono::milliseconds pause{1000};  // before the second attempt; doubles each time
  uint64_t most_bytes = 0;                // largest size of the file; 0: unknown
  std::function<void(uint64_t done, uint64_t total)>
      progress;  // bytes; total = 0 when the server does not say
};

/// Downloads `url` to `file`. Received bytes are in FILE.part, also after a failure, and the next
/// call continues there. If the server does not support ranges, the next call starts again.
/// `sha256` is the expected hash, or "" if unknown. A file with another hash is moved to
/// FILE.rejected, and a file above `most_bytes` is removed. Throws ConfigError for an invalid
/// `url`. Throws MachineError without a connection, if the server refuses, for too many bytes or a
/// wrong hash, and for disk errors. Durable: the file.
void download(const std::string& url, const std::filesystem::path& file, const std::string& sha256,
              const DownloadOptions& options);

}  // namespace rethink
