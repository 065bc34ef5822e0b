#include "experiments/attempt/command/output/stdout_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
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

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether an expression names the character that follows a number: by the character itself, a class
/// or a group, perhaps after spaces. `after`: the expression after the number, such as "s" or "\\s*GB".
bool names_next(std::string_view after, char next) {
  for (;;) {  // what may match nothing, and so not the next character
    size_t skipped = 0;
    if (after.starts_with(')') || after.starts_with(' ')) skipped = 1;
    if (after.starts_with("\\s")) skipped = 2;
    if (skipped == 0) break;
    after.remove_prefix(skipped);
    while (!after.empty() && std::string_view("*?+").find(after[0]) != std::string_view::npos)
      after.remove_prefix(1);
  }
  if (after.empty()) return false;
  if (after[0] == '[' || after[0] == '(') return true;
  if (after[0] == '\\') {
    const char escaped = after.size() > 1 ? after[1] : ' ';
    return escaped == next || std::string_view("wdDS").find(escaped) != std::string_view::npos;
  }
  return after[0] != '.' && std::tolower(after[0]) == std::tolower(next);
}

/// The same for the character before a number. `before`: the expression before the number.
bool names_last(std::string_view before, char last) {
  while (before.ends_with('(')) before.remove_suffix(1);
  if (before.empty()) return false;
  const char own = before.back();
  if (own == ']' || own == ')') return true;
  const bool is_special = std::string_view(".+").find(own) != std::string_view::npos;
  before.remove_suffix(1);
  return own == last && (!is_special || before.ends_with('\\'));
}

/// Whether the number goes on after the match: in "12k", "1_000", "1,234.5", "1.2.3".
bool goes_on(std::string_view line, size_t end) {
  if (end >= line.size()) return false;
  const bool is_mark = line[end] == ',' || line[end] == '.';
  return is_of_word(line[end]) || (is_mark && end + 1 < line.size() && is_digit(line[end + 1]));
}

/// Whether the number begins before the match, as '3' in "0.93", "-3" and "1,3".
bool begins_earlier(std::string_view line, size_t begin, bool may_have_sign) {
  if (begin == 0) return false;
  const char last = line[begin - 1];
  const char earlier = begin > 1 ? line[begin - 2] : ' ';
  if (is_digit(last)) return true;
  if (last == ',') return is_digit(earlier);
  const bool is_part = last == '.' || (may_have_sign && (last == '-' || last == '+'));
  return is_part && earlier != last;  // "loss....0.5" is a number after leaders
}

/// The word around a part of a number, such as "1,234.5".
std::string number_around(std::string_view line, size_t begin, size_t end) {
  constexpr size_t kMost = 40;
  const auto is_inside = [](char c) {
    return is_of_word(c) || std::string_view(".,+-").find(c) != std::string_view::npos;
  };
  const size_t least = begin > kMost ? begin - kMost : 0;
  const size_t most = std::min(line.size(), end + kMost);
  while (begin > least && is_inside(line[begin - 1])) --begin;
  while (end < most && is_inside(line[end])) ++end;
  std::string_view whole = line.substr(begin, end - begin);
  while (whole.ends_with(',') || whole.ends_with('.')) whole.remove_suffix(1);
  return std::string(whole);
}

}  // namespace

struct StdoutPattern::Expression {
  explicit Expression(const std::string& text) : re2(text, quiet()) {}
  RE2 re2;
};

StdoutPattern::StdoutPattern(const std::string& text) : text_(text) {
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

std::optional<StdoutPattern::Found> StdoutPattern::find(std::string_view line,
                                                        PartlyRead* partly) const {
  std::vector<re2::StringPiece> groups(static_cast<size_t>(std::max(value_group_, step_group_)) +
                                       1);
  const re2::StringPiece text(line.data(), line.size());
  if (!expression_->re2.Match(text, 0, text.size(), RE2::UNANCHORED, groups.data(),
                              static_cast<int>(groups.size())))
    return std::nullopt;
  const auto group = [&](int number) {
    const re2::StringPiece& piece = groups[static_cast<size_t>(number)];
    return std::string_view(piece.data() ? piece.data() : "", piece.size());
  };
  const auto is_whole = [&](std::string_view number, std::string_view name) {
    const auto begin = static_cast<size_t>(number.data() - line.data());
    const size_t end = begin + number.size(), at = text_.find(name);
    const std::string_view pattern = text_;
    const bool is_cut =
        (goes_on(line, end) && !names_next(pattern.substr(at + name.size()), line[end])) ||
        (begins_earlier(line, begin, name == kValueName) &&
         !names_last(pattern.substr(0, at), line[begin - 1]));
    if (is_cut && partly) *partly = {std::string(number), number_around(line, begin, end)};
    return !is_cut;
  };
  const std::string_view value = group(value_group_);
  if (value.empty()) return std::nullopt;  // the group is in an alternative that did not match
  if (!is_whole(value, kValueName)) return std::nullopt;
  Found found{std::strtod(std::string(value).c_str(), nullptr), std::nullopt};
  if (!has_step()) return found;
  const std::string_view step = group(step_group_);
  int64_t number = 0;
  const auto read = std::from_chars(step.data(), step.data() + step.size(), number);
  if (step.empty() || read.ec != std::errc() || !is_whole(step, kStepName)) return std::nullopt;
  found.step = number;
  return found;
}

}  // namespace rethink
