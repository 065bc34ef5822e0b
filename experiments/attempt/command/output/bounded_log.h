// A log of bounded size for what a program prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rethink {

/// Forwards the first part of a text. Of a longer text it also keeps the end, which usually explains an error.
class BoundedLog {
 public:
  /// `most` is the number of bytes that are passed to `write`; `most_of_end` is the number of bytes
  /// kept from a longer text's end.
  BoundedLog(uint64_t most, size_t most_of_end, std::function<void(const std::string&)> write);
  /// Calls end(), and ignores its errors.
  ~BoundedLog();
  BoundedLog(const BoundedLog&) = delete;
  BoundedLog& operator=(const BoundedLog&) = delete;

  /// Returns true for the first text that is not forwarded as a whole.
  bool take(const std::string& text);
  /// Forwards the number of bytes left out, and the end of the text.
  void end();

 private:
  const uint64_t most_;
  const size_t most_of_end_;
  const std::function<void(const std::string&)> write_;
  uint64_t passed_ = 0, left_out_ = 0;  // [bytes]; left_out_ includes the bytes of end_
  std::string end_;
};

}  // namespace rethink
