#include "core/yaml/yaml_mistake.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace rethink {
namespace {

bool ends_word(std::string_view text, size_t at) {
  return at >= text.size() || text[at] == ' ' || text[at] == '\n' || text[at] == '\r';
}

/// Tracks brackets through the text, and skips quotes and comments.
class BracketScan {
 public:
  explicit BracketScan(std::string_view text) : text_(text) {}

  std::optional<YamlMistake> run() {
    for (; at_ < text_.size(); ++at_) {
      if (auto mistake = step(text_[at_])) return mistake;
    }
    if (open_.empty()) return std::nullopt;
    return mistake_at(open_.back().at,
                      fmt::format("this '{}' is not closed", open_.back().bracket));
  }

 private:
  struct Open {
    char bracket;
    size_t at;
  };

  std::optional<YamlMistake> step(char c) {
    if (c == '\n') {
      closed_here_ = false;
      begins_ = begins_ || open_.empty();
    } else if (c == '#' && (at_ == 0 || ends_word(text_, at_ - 1))) {
      at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
    } else if (begins_ && (c == '"' || c == '\'')) {
      skip_quote(c);
    } else if ((c == '[' || c == '{') && (begins_ || !open_.empty())) {
      open_.push_back({c, at_});
      begins_ = true;
      if (open_.size() > kDeepestYaml)
        return mistake_at(at_, fmt::format("nested deeper than {} levels", kDeepestYaml));
    } else if ((c == ']' || c == '}') && (closed_here_ || !open_.empty())) {
      return close(c);
    } else if ((c == ':' && ends_word(text_, at_ + 1)) || (c == ',' && !open_.empty())) {
      begins_ = true;
    } else if (c != ' ' && !(c == '-' && begins_ && ends_word(text_, at_ + 1))) {
      begins_ = false;
    }
    return std::nullopt;
  }

  void skip_quote(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (quote == '"' && text_[at_] == '\\') ++at_;
    }
    // Inside a quote, '' means one quote.
    begins_ = at_ + 1 < text_.size() && text_[at_ + 1] == quote;
  }

  std::optional<YamlMistake> close(char c) {
    if (open_.empty()) return mistake_at(at_, fmt::format("this '{}' closes nothing", c));
    const Open last = open_.back();
    const char expected = last.bracket == '[' ? ']' : '}';
    if (c != expected) {
      const YamlMistake opened = mistake_at(last.at, ""), here = mistake_at(at_, "");
      const std::string place = opened.line == here.line ? fmt::format("column {}", opened.column)
                                                         : fmt::format("line {}", opened.line);
      return mistake_at(at_, fmt::format("got '{}', expected '{}' for the '{}' in {}", c, expected,
                                         last.bracket, place));
    }
    open_.pop_back();
    begins_ = false;
    closed_here_ = open_.empty();
    return std::nullopt;
  }

  YamlMistake mistake_at(size_t at, const std::string& text) const {
    const std::string_view before = text_.substr(0, at);
    const size_t line_end = before.rfind('\n');  // npos + 1 is 0
    return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<int>(at - (line_end + 1)) + 1, text};
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::vector<Open> open_;
  bool begins_ = true;  // a value may begin here
  bool closed_here_ = false;
};

/// One line, without its comment.
struct Line {
  int number = 0;
  size_t indent = 0;
  size_t tab = 0;         // column of a tab in the indentation; 0 without a tab
  std::string_view text;  // the text from its first letter on; may be empty

  bool is_item() const { return text.starts_with("- ") || text == "-"; }
  /// The column at which the line's keys begin.
  size_t keys_from() const {
    return indent + (is_item() ? std::min(text.find_first_not_of(" -"), text.size()) : 0);
  }
  /// The position of the ':' that ends a key; npos without one.
  size_t colon() const {
    for (size_t at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
      if (ends_word(text, at + 1)) return at;
    }
    return text.npos;
  }
  /// Whether a plain word is where a key should be.
  bool lacks_colon() const {
    constexpr std::string_view kOther = "-[]{},\"'#&*!|>%@`?";
    return !text.empty() && colon() == text.npos && kOther.find(text.front()) == kOther.npos;
  }
};

/// The first `count` lines.
std::vector<Line> lines_of(std::string_view text, int count) {
  std::vector<Line> lines;
  for (size_t begin = 0; begin < text.size() && static_cast<int>(lines.size()) < count;) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    for (size_t at = line.find('#'); at < line.size(); at = line.find('#', at + 1)) {
      if (at == indent || line[at - 1] == ' ') line = line.substr(0, at);
    }
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const size_t tab = line.substr(0, indent).find('\t') + 1;  // npos + 1 is 0
    lines.push_back({static_cast<int>(lines.size()) + 1, indent, tab,
                     indent < line.size() ? line.substr(indent) : std::string_view()});
  }
  return lines;
}

/// The nearest line above `line` that is not blank.
const Line* line_above(const std::vector<Line>& lines, const Line& line) {
  for (int i = line.number - 2; i >= 0; --i) {
    if (!lines[static_cast<size_t>(i)].text.empty()) return &lines[static_cast<size_t>(i)];
  }
  return nullptr;
}

YamlMistake at_begin(const Line& line, const std::string& text) {
  return {line.number, static_cast<int>(line.indent) + 1, text};
}

YamlMistake missing_colon(const Line& line) {
  return at_begin(line, text_of_missing_colon(std::string(line.text)));
}

std::string long_key_text(size_t bytes) {
  return fmt::format("a key of {} bytes, expected at most {}", bytes, kLongestKey);
}

/// Finds a ':' where no key can be.
std::optional<YamlMistake> before_colon(const std::vector<Line>& lines, const Line& line,
                                        int column) {
  const size_t first = line.colon();
  if (first != line.text.npos && first > kLongestKey) return at_begin(line, long_key_text(first));
  if (first != line.text.npos && static_cast<int>(line.indent + first) + 1 < column) {
    return YamlMistake{line.number, column,
                       "a second ': ' in one line: put the value in quotes, or what follows the "
                       "first on a line of its own, indented"};
  }
  const Line* above = line_above(lines, line);
  if (!above) return std::nullopt;
  if (above->lacks_colon()) return missing_colon(*above);
  if (line.indent <= above->keys_from()) return std::nullopt;
  return at_begin(line, fmt::format("indented deeper than line {}, which has its value already: "
                                    "begin both in column {}",
                                    above->number, above->keys_from() + 1));
}

/// Finds "{arm:[P3]}": a key in brackets without a space between its ':' and the bracket of its
/// value.
std::optional<YamlMistake> unspaced_colon(const Line& line) {
  const auto is_one_of = [](char c, std::string_view letters) {
    return letters.find(c) != letters.npos;
  };
  bool is_quoted = false;
  for (size_t at = 0; at + 1 < line.text.size(); ++at) {
    is_quoted = is_quoted != is_one_of(line.text[at], "\"'");
    if (is_quoted || line.text[at] != ':' || !is_one_of(line.text[at + 1], "[{\"'")) continue;
    const size_t begin = line.text.find_last_of(" ,[{", at) + 1;  // npos + 1 is 0
    return YamlMistake{line.number, static_cast<int>(line.indent + at) + 1,
                       fmt::format("a space is missing after '{0}': write '{0} {1}'",
                                   line.text.substr(begin, at + 1 - begin), line.text[at + 1])};
  }
  return std::nullopt;
}

std::optional<YamlMistake> long_key_in(const Line& line) {
  size_t begin = 0;  // start of a possible key
  char quote = 0;
  for (size_t at = 0; at < line.text.size(); ++at) {
    const char c = line.text[at];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == ',' || (c == ' ' && begin == at)) {
      begin = at + 1;
    } else if (c == ':' && (ends_word(line.text, at + 1) || line.text[at - 1] == '"')) {
      if (at - begin > kLongestKey)
        return YamlMistake{line.number, static_cast<int>(line.indent + begin) + 1,
                           long_key_text(at - begin)};
      begin = at + 1;
    }
  }
  return std::nullopt;
}

/// Finds a line whose indentation fits no line above it.
std::optional<YamlMistake> find_unmatched_indentation(const std::vector<Line>& lines,
                                                      const Line& line) {
  if (line.lacks_colon()) return missing_colon(line);
  const Line* before = line_above(lines, line);
  if (before && before->lacks_colon() && line.indent >= before->indent)
    return missing_colon(*before);
  std::vector<size_t> open;  // indentations of the open blocks above
  for (const Line& one : lines) {
    if (one.text.empty() || one.number == line.number) continue;
    while (!open.empty() && open.back() > one.indent) open.pop_back();
    if (open.empty() || open.back() < one.indent) open.push_back(one.indent);
  }
  if (std::find(open.begin(), open.end(), line.indent) == open.end()) {
    const auto above = std::upper_bound(open.begin(), open.end(), line.indent);
    std::string expected = above == open.begin() ? "" : fmt::format("{}", *(above - 1));
    if (above != open.end())
      expected += fmt::format("{}{}", expected.empty() ? "" : " or ", *above);
    return at_begin(line, fmt::format("indented by {} spaces, expected {}, as a line above it",
                                      line.indent, expected));
  }
  if (line.is_item())
    return at_begin(line, "a list item stands among keys: a list needs 'KEY:' above its items");
  return std::nullopt;
}

}  // namespace

std::optional<YamlMistake> bracket_mistake(const std::string& text, int line) {
  auto mistake = BracketScan(text).run();
  if (mistake && mistake->line > line) return std::nullopt;
  return mistake;
}

std::optional<YamlMistake> long_key_in_flow(const std::string& text, int line) {
  const std::vector<Line> lines = lines_of(text, line);
  if (lines.empty() || lines.back().number != line) return std::nullopt;
  return long_key_in(lines.back());
}

bool is_closed_quote(const std::string& text, size_t begin) {
  const char quote = text[begin];
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return true;
      ++i;  // inside a quote, '' means one quote
    }
  }
  return false;
}

std::string text_of_outer_blank(const std::string& value, const FoundBlank& blank) {
  return fmt::format(
      "got '{}', which {} with {}; remove it, or put the value in quotes if it is meant", value,
      blank.at == 0 ? "begins" : "ends", blank.blank->name);
}

std::string text_of_missing_colon(const std::string& word) {
  if (word.find(':') != std::string::npos)
    return fmt::format("got '{}': a space is missing after its ':'", word);
  return fmt::format("got '{}', expected 'KEY: VALUE': a key needs ': ' after it", word);
}

std::string text_of_unquoted_placeholder(const std::string& word) {
  return fmt::format(
      "got {{{0}}}, which YAML reads as a map without a value: put a placeholder in quotes, "
      "\"{{{0}}}\"",
      word);
}

std::optional<YamlMistake> likely_mistake(const std::string& text, int line, int column,
                                          YamlTrouble trouble) {
  if (auto mistake = bracket_mistake(text, line)) return mistake;
  const std::vector<Line> lines = lines_of(text, line);
  if (lines.empty() || lines.back().number != line) return std::nullopt;
  const Line& here = lines.back();
  for (const Line* one : {line_above(lines, here), &here}) {
    if (one && one->tab > 0) {
      return YamlMistake{one->number, static_cast<int>(one->tab),
                         "a tab begins this line: indent with spaces"};
    }
  }
  switch (trouble) {
    case YamlTrouble::colon:
      return before_colon(lines, here, column);
    case YamlTrouble::end_of_block:
      if (static_cast<size_t>(column) != here.indent + 1) return std::nullopt;
      return find_unmatched_indentation(lines, here);
    case YamlTrouble::end_of_flow:
      if (const auto key = long_key_in(here)) return key;
      if (const auto unspaced = unspaced_colon(here)) return unspaced;
      return YamlMistake{line, column,
                         "expected ',' or a closing bracket before this; a value that holds ': ' "
                         "needs quotes"};
    case YamlTrouble::letter: {
      const size_t at = static_cast<size_t>(column) - 1;
      if (at < here.indent || at >= here.indent + here.text.size()) return std::nullopt;
      return YamlMistake{line, column,
                         fmt::format("a value cannot begin with '{}': put it in quotes",
                                     here.text[at - here.indent])};
    }
    case YamlTrouble::other:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace rethink
