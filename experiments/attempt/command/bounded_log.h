// A log of bounded size for what a program prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rethink {

/// Passes the first part of a text on. Of a longer text it also keeps the end, where an error is usually explained.
class BoundedLog {
 public:
  /// `most`: bytes that are passed to `write`; `most_of_end`: bytes of the end of a longer text.
  BoundedLog(uint64_t most, size_t most_of_end, std::function<void(const std::string&)> write);
  /// Calls end(), and ignores its errors.
  ~BoundedLog();
  BoundedLog(const BoundedLog&) = delete;
  BoundedLog& operator=(const BoundedLog&) = delete;

  /// Returns true for the first text that is not passed on as a whole.
  bool take(const std::string& text);
  /// Passes on how many bytes were left out, and the end of the text.
  void end();

 private:
  const uint64_t most_;
  const size_t most_of_end_;
  const std::function<void(const std::string&)> write_;
  uint64_t passed_ = 0, left_out_ = 0;  // [bytes]; those of end_ are left out so far
  std::string end_;
};

}  // namespace rethink
