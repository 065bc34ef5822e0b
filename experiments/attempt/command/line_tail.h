// A file that another process appends to, read by whole lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace rethink {

class LineTail {
 public:
  /// `most`: bytes of a line; a longer one is cut there. The file need not be there yet.
  LineTail(std::filesystem::path file, size_t most) : file_(std::move(file)), most_(most) {}

  /// Calls take(line) for each new whole line, without its "\n" or "\r\n".
  void read(const std::function<void(const std::string&)>& take);

  /// A line that was begun and has no end yet.
  const std::string& rest() const { return rest_; }
  uint64_t bytes() const { return offset_; }

 private:
  const std::filesystem::path file_;
  const size_t most_;
  uint64_t offset_ = 0;
  std::string rest_;
};

/// Takes whole lines from what comes in pieces: `rest` and `bytes`; what is begun stays in `rest`.
void take_lines(std::string& rest, std::string_view bytes, size_t most,
                const std::function<void(const std::string&)>& take);

}  // namespace rethink
