// Replaces secret values of a program's environment by *** in its output, so that no file contains
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// One stream of text that comes in pieces.
class SecretFilter {
 public:
  /// Values of less than six bytes hide nothing.
  explicit SecretFilter(std::vector<std::string> secrets);

  /// What of the stream can be shown so far; the beginning of a secret waits for the rest.
  std::string take(std::string_view bytes);
  /// What still waits, at the stream's end.
  std::string rest();

  /// A whole text.
  std::string hidden(std::string text) const;

 private:
  std::vector<std::string> secrets_;  // the longest first
  std::string held_;
};

}  // namespace rethink
