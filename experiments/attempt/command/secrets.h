// Replaces secret values of a program's environment by *** in its output, so that no file contains
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Variables that every program receives, since they locate programs and files. They are no secrets.
constexpr std::string_view kPublicVariables[] = {"PATH",
                                                 "HOME",
                                                 "USER",
                                                 "LOGNAME",
                                                 "SHELL",
                                                 "LANG",
                                                 "LC_ALL",
                                                 "TMPDIR",
                                                 "TZ",
                                                 "LD_LIBRARY_PATH",
                                                 "VIRTUAL_ENV",
                                                 "CONDA_PREFIX",
                                                 "CUDA_HOME",
                                                 "XDG_CACHE_HOME",
                                                 "CUDA_VISIBLE_DEVICES"};

/// Returns the values of the variables `names`, the option `pass`, that shall be hidden: without
/// public variables, and variables that are empty or not set.
std::vector<std::string> secret_values(const std::vector<std::string>& names);

/// Returns what is wrong with passing a variable: its value is too short to be hidden, since every
/// 1 would become ***. Returns "" if nothing is wrong.
std::string problem_of_passed(const std::string& name);

/// A stream of text that arrives in pieces.
class SecretFilter {
 public:
  /// Each value is hidden as it is, without blanks around it, and escaped as in JSON. Values of
  /// less than six bytes are not hidden (problem_of_passed).
  explicit SecretFilter(const std::vector<std::string>& secrets);

  /// Returns the part of the stream that can be shown now. A possible beginning of a secret waits
  /// for the rest.
  std::string take(std::string_view bytes);
  /// Returns the waiting part, at the stream's end.
  std::string rest();

  /// Returns a whole text with its secrets replaced.
  std::string hidden(std::string text) const;
  /// Hides secrets in all texts of `value`, and in the names of members below the first level: the
  /// names of a report's own members are fixed.
  void hide(Json& value) const;

  bool has_secrets() const { return !secrets_.empty(); }

 private:
  std::vector<std::string> secrets_;  // the longest first
  std::string held_;
};

}  // namespace rethink
