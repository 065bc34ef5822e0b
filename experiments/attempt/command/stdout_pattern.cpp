#include "experiments/attempt/command/stdout_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "core/error.h"

namespace rethink {
namespace {

constexpr const char *kValueName = "{value}", *kStepName = "{step}";
// Named groups, whose positions do not depend on the user's own groups.
constexpr const char* kValueGroup =
    "(?P<rethink_value>[-+]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:nan|inf(?:"
    "inity)?)))";
constexpr const char* kStepGroup = "(?P<rethink_step>[0-9]+)";

/// Replaces each `name` by `group`; returns the number of replacements.
size_t replace_all(std::string& text, std::string_view name, std::string_view group) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += group.size()) {
    text.replace(at, name.size(), group);
    ++count;
  }
  return count;
}

int group_called(const RE2& expression, const std::string& name) {
  const auto found = expression.NamedCapturingGroups().find(name);
  return found == expression.NamedCapturingGroups().end() ? 0 : found->second;
}

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

}  // namespace

struct StdoutPattern::Expression {
  explicit Expression(const std::string& text) : re2(text, quiet()) {}
  RE2 re2;
};

StdoutPattern::StdoutPattern(const std::string& text) {
  std::string whole = text;
  if (replace_all(whole, kValueName, kValueGroup) != 1)
    throw ConfigError(
        "invalid-pattern",
        fmt::format("'{}': expected one {{value}}, in the place of the number", text));
  if (replace_all(whole, kStepName, kStepGroup) > 1)
    throw ConfigError("invalid-pattern",
                      fmt::format("'{}' has several {{step}}, expected at most one", text));
  expression_ = std::make_unique<Expression>(whole);
  const RE2& re2 = expression_->re2;
  if (!re2.ok())
    throw ConfigError("invalid-pattern", fmt::format("'{}' is not a regular expression of RE2: {}",
                                                     text, re2.error()));
  value_group_ = group_called(re2, "rethink_value");
  step_group_ = group_called(re2, "rethink_step");
}

StdoutPattern::~StdoutPattern() = default;
StdoutPattern::StdoutPattern(StdoutPattern&&) noexcept = default;

std::optional<StdoutPattern::Found> StdoutPattern::find(std::string_view line) const {
  std::vector<re2::StringPiece> groups(static_cast<size_t>(std::max(value_group_, step_group_)) +
                                       1);
  const re2::StringPiece text(line.data(), line.size());
  if (!expression_->re2.Match(text, 0, text.size(), RE2::UNANCHORED, groups.data(),
                              static_cast<int>(groups.size())))
    return std::nullopt;
  const auto group = [&](int number) {
    const re2::StringPiece& piece = groups[static_cast<size_t>(number)];
    return std::string(piece.data() ? piece.data() : "", piece.size());
  };
  const std::string value = group(value_group_);
  if (value.empty()) return std::nullopt;  // the group is in an alternative that did not match
  Found found{std::strtod(value.c_str(), nullptr), std::nullopt};
  if (!has_step()) return found;
  const std::string step = group(step_group_);
  int64_t number = 0;
  const auto read = std::from_chars(step.data(), step.data() + step.size(), number);
  if (step.empty() || read.ec != std::errc()) return std::nullopt;
  found.step = number;
  return found;
}

}  // namespace rethink
