#include "datasets/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/file_kind.h"
#include "core/text_marks.h"
#include "core/utf8.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

std::string with_plain_line_ends(std::string text) {
  size_t kept = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
    text[kept++] = text[at] == '\r' ? '\n' : text[at];
  }
  text.resize(kept);
  return text;
}

}  // namespace

void require_utf8(std::string_view text, const std::string& name, size_t first_line) {
  const size_t bad = find_invalid_utf8(text);
  if (bad == std::string_view::npos) return;
  const std::string_view before = text.substr(0, bad);
  const auto line = first_line + static_cast<size_t>(std::ranges::count(before, '\n'));
  const size_t column = 1 + count_characters(before.substr(before.rfind('\n') + 1));  // npos + 1: 0
  throw ConfigError(
      fmt::format("{}:{}:{}: the byte 0x{:02X} is not UTF-8; convert the file first "
                  "(iconv -f LATIN1 -t UTF-8, or from what it is)",
                  name, line, column, static_cast<unsigned char>(text[bad])));
}

std::string checked_text(std::string bytes, const std::string& name) {
  refuse_other_kind(bytes, name, ExpectedFile::text);
  require_utf8(bytes, name);
  return without_text_marks(std::move(bytes));
}

std::string read_utf8(const std::filesystem::path& file) {
  return checked_text(read_file(file), file.string());
}

std::string read_running_text(const std::filesystem::path& file) {
  std::string text = with_plain_line_ends(read_utf8(file));
  if (trimmed(text).empty()) {
    throw ConfigError(fmt::format("{}: {}; expected text", file.string(),
                                  text.empty() ? "is empty" : "has nothing but white space"));
  }
  return text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  return lines_of(read_utf8(file));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhite) + 1 - begin);
}

}  // namespace rethink
