// Reads metrics from a program's standard output, for programs that cannot be edited: 'step {step}
// .* acc={value}'.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rethink {

/// A regular expression (RE2, whose time is linear in the line's length) in which {value} means any
/// number, also nan and inf, and {step} a whole number.
class StdoutPattern {
 public:
  /// Throws ConfigError for an invalid expression, if {value} does not occur once, and if {step}
  /// occurs several times.
  explicit StdoutPattern(const std::string& text);
  ~StdoutPattern();
  StdoutPattern(StdoutPattern&&) noexcept;

  bool has_step() const { return step_group_ > 0; }

  struct Found {
    double value = 0;
    std::optional<int64_t> step;
  };
  /// A text of which the expression would read only a part as the number: '1' of '1,234.5'.
  struct PartlyRead {
    std::string part, whole;
  };
  /// Returns the first match in the line; none if it would read only a part of a number, which `partly` then receives.
  std::optional<Found> find(std::string_view line, PartlyRead* partly = nullptr) const;

 private:
  struct Expression;
  std::unique_ptr<Expression> expression_;
  std::string text_;
  int value_group_ = 0, step_group_ = 0;  // 0: none
};

}  // namespace rethink
