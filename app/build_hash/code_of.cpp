#include "app/build_hash/code_of.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace rethink {
namespace {

/// The literals of these calls reach a log, an event or an error's text, and no computation.
const std::set<std::string_view> kMessageCalls = {"TORCH_CHECK", "RETHINK_ASSERT", "log_warning",
                                                  "log_error"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

class CodeReader {
 public:
  explicit CodeReader(std::string_view source) : source_(source) {}

  std::string read() {
    while (at_ < source_.size()) step();
    return std::move(code_);
  }

 private:
  enum class Ending { expression, call };
  /// A part of the code whose literals are messages.
  struct Region {
    Ending ending;
    int depth;          // depth of the brackets in which it begins
    int arguments = 0;  // number of the call's first arguments, whose literals are not messages
  };

  char peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  bool looking_at(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  void step() {
    const char c = peek();
    if (looking_at("\\\n") || looking_at("\\\r\n")) {
      at_ += peek(1) == '\r' ? 3 : 2;
      blank_before_ = true;
    } else if (looking_at("//")) {
      skip_line_comment();
    } else if (looking_at("/*")) {
      const size_t end = source_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? source_.size() : end + 2;
      blank_before_ = true;
    } else if (c == '\n') {
      end_line();
    } else if (is_blank(c)) {
      ++at_;
      blank_before_ = true;
    } else if (c == '"' || c == '\'') {
      take_literal(quoted());
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      add(number());
    } else if (is_word(c)) {
      take_word();
    } else {
      take_sign(c);
    }
  }

  void skip_line_comment() {
    while (at_ < source_.size() && peek() != '\n') {
      // A backslash at the end of the line makes the next line part of the comment.
      const bool is_spliced = looking_at("\\\n") || looking_at("\\\r\n");
      at_ += is_spliced ? (peek(1) == '\r' ? 3 : 2) : 1;
    }
    blank_before_ = true;
  }

  /// Line breaks matter only for directives.
  void end_line() {
    ++at_;
    blank_before_ = true;
    if (!in_directive_) return;
    in_directive_ = false;
    regions_.clear();
    code_ += '\n';
  }

  void take_sign(char c) {
    const bool begins_line = code_.empty() || code_.back() == '\n' || only_blanks_before();
    if (c == '#' && !in_directive_ && begins_line) {
      if (!code_.empty() && code_.back() != '\n') code_ += '\n';
      in_directive_ = true;
    }
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') close();
    const bool is_scope = looking_at("::");
    if (c == ';' || c == ',' || (c == ':' && !is_scope)) end_expression();
    if (c == ',') end_argument();
    add(source_.substr(at_, is_scope ? 2 : 1));
    at_ += is_scope ? 2 : 1;
  }

  bool only_blanks_before() const {
    size_t before = at_;
    while (before > 0 && is_blank(source_[before - 1])) --before;
    return before == 0 || source_[before - 1] == '\n';
  }

  void close() {
    end_expression();
    --depth_;
    if (!regions_.empty() && regions_.back().ending == Ending::call &&
        regions_.back().depth == depth_)
      regions_.pop_back();
  }

  void end_expression() {
    while (!regions_.empty() && regions_.back().ending == Ending::expression &&
           regions_.back().depth == depth_)
      regions_.pop_back();
  }

  void end_argument() {
    if (regions_.empty()) return;
    Region& region = regions_.back();
    if (region.ending == Ending::call && region.depth + 1 == depth_ && region.arguments > 0)
      --region.arguments;
  }

  void take_word() {
    const size_t begin = at_;
    while (is_word(peek())) ++at_;
    const std::string_view word = source_.substr(begin, at_ - begin);
    const bool is_member = !code_.empty() && code_.back() == '.';
    static const std::set<std::string_view> kRawPrefixes = {"R", "LR", "uR", "UR", "u8R"};
    if (peek() == '"' && kRawPrefixes.contains(word)) {
      take_literal(std::string(word) + raw());
      return;
    }
    add(word);
    if (word == "throw" || (is_member && word == "summary" && next_sign() == '='))
      regions_.push_back({Ending::expression, depth_});
    if ((kMessageCalls.contains(word) || (is_member && word == "message")) && next_sign() == '(')
      regions_.push_back({Ending::call, depth_});
    // field(NAME, VALUE, DESCRIPTION) in an options struct
    if (word == "field" && next_sign() == '(') regions_.push_back({Ending::call, depth_, 2});
  }

  char next_sign() const {
    size_t next = at_;
    while (next < source_.size() && (is_blank(source_[next]) || source_[next] == '\n')) ++next;
    return next < source_.size() ? source_[next] : '\0';
  }

  /// A number with its digit separators: the quote in 1'000 does not begin a character.
  std::string number() {
    const size_t begin = at_++;
    while (at_ < source_.size()) {
      const bool is_separator = peek() == '\'' && is_word(peek(1));
      const char before = static_cast<char>(std::tolower(source_[at_ - 1]));
      const bool is_sign = (peek() == '+' || peek() == '-') && (before == 'e' || before == 'p');
      if (!is_word(peek()) && peek() != '.' && !is_separator && !is_sign) break;
      ++at_;
    }
    return std::string(source_.substr(begin, at_ - begin));
  }

  /// Up to the closing quote, or to the end of the line without one (the text of an #error).
  std::string quoted() {
    const size_t begin = at_;
    const char quote = source_[at_++];
    while (at_ < source_.size() && peek() != quote && peek() != '\n')
      at_ += peek() == '\\' && at_ + 1 < source_.size() ? 2 : 1;
    if (peek() == quote) ++at_;
    return std::string(source_.substr(begin, at_ - begin));
  }

  std::string raw() {
    const size_t begin = at_, open = source_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = source_.size();
    } else {
      const std::string close =
          ")" + std::string(source_.substr(begin + 1, open - begin - 1)) + "\"";
      const size_t end = source_.find(close, open);
      at_ = end == std::string_view::npos ? source_.size() : end + close.size();
    }
    return std::string(source_.substr(begin, at_ - begin));
  }

  void take_literal(const std::string& literal) {
    const bool is_text = literal.back() == '"';
    const bool is_message = !regions_.empty() && regions_.back().arguments == 0;
    if (!is_message || in_directive_ || !is_text) return add(literal);
    // An error's code is its first argument, before the comma.
    if (begins_thrown_call() && next_sign() == ',') return skip_comma();
    // So a message of several pieces, one per line, counts like a message of one.
    if (!code_.ends_with("\"\"")) add("\"\"");
    blank_before_ = false;
  }

  /// Whether the last token opens the brackets of a thrown expression: throw Error(
  bool begins_thrown_call() const {
    return regions_.back().ending == Ending::expression && regions_.back().depth + 1 == depth_ &&
           !code_.empty() && (code_.back() == '(' || code_.back() == '{');
  }

  void skip_comma() {
    while (peek() != ',') ++at_;
    ++at_;
  }

  /// Appends a token, after a blank if the source has one and the two tokens could otherwise merge.
  void add(std::string_view token) {
    const auto is_quote = [](char c) { return c == '"' || c == '\''; };
    const auto is_operator = [](char c) {
      return std::string_view("+-<>&|=*/%^!:.#~?").find(c) != std::string_view::npos;
    };
    if (blank_before_ && !code_.empty() && code_.back() != '\n') {
      const char before = code_.back(), after = token.front();
      const bool is_needed =
          in_directive_ ||
          ((is_word(before) || is_quote(before)) && (is_word(after) || is_quote(after))) ||
          (is_operator(before) && is_operator(after));
      if (is_needed) code_ += ' ';
    }
    blank_before_ = false;
    code_ += token;
  }

  const std::string_view source_;
  size_t at_ = 0;
  std::string code_;
  bool blank_before_ = false, in_directive_ = false;
  int depth_ = 0;
  std::vector<Region> regions_;
};

}  // namespace

std::string code_of(std::string_view source) {
  return CodeReader(source).read();
}

}  // namespace rethink
