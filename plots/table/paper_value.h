// The numbers that papers print, as tables and figures give them.
#pragma once

#include <optional>
#include <string>

#include "core/config/yaml.h"

namespace rethink {

/// A number that a paper prints, as it prints it.
struct PaperValue {
  double value = 0;
  std::string text;       // "54.08*": digits and marks of the paper
  bool computed = false;  // the mean of what it prints, where it prints no mean

  /// What stands behind its digits, "*"; "computed".
  std::string mark() const;
};

/// "54.08*": a number, and what stands behind it. Adds a problem when there is no number.
std::optional<PaperValue> parse_paper_value(const Yaml& text, Problems& problems);

}  // namespace rethink
