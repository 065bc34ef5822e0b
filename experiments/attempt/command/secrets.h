// Replaces secret values of a program's environment by *** in its output, so that no file contains
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// A stream of text that arrives in pieces.
class SecretFilter {
 public:
  /// Values of less than six bytes are not hidden.
  explicit SecretFilter(std::vector<std::string> secrets);

  /// Returns the part of the stream that can be shown now. A possible beginning of a secret waits
  /// for the rest.
  std::string take(std::string_view bytes);
  /// Returns the waiting part, at the stream's end.
  std::string rest();

  /// Returns a whole text with its secrets replaced.
  std::string hidden(std::string text) const;

 private:
  std::vector<std::string> secrets_;  // the longest first
  std::string held_;
};

}  // namespace rethink
