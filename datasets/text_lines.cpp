#include "datasets/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/shell_word.h"
#include "core/text_marks.h"
#include "core/utf8.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

using namespace std::string_view_literals;

struct OtherKind {
  std::string_view begins;
  const char *is, *command;  // {} stands for the file
};

// UTF-32's mark begins with UTF-16's.
constexpr OtherKind kOtherKinds[] = {
    {"\x1F\x8B"sv, "is compressed with gzip", "gzip -dc < {} > NEW"},
    {"PK\x03\x04"sv, "is a zip archive", "unzip -p {} > NEW"},
    {"\xFD"
     "7zXZ\0"sv,
     "is compressed with xz", "xz -dc < {} > NEW"},
    {"BZh"sv, "is compressed with bzip2", "bzip2 -dc < {} > NEW"},
    {"\x28\xB5\x2F\xFD"sv, "is compressed with zstd", "zstd -dc < {} > NEW"},
    {"\xFF\xFE\0\0"sv, "is UTF-32", "iconv -f UTF-32 -t UTF-8 {} > NEW"},
    {"\0\0\xFE\xFF"sv, "is UTF-32", "iconv -f UTF-32 -t UTF-8 {} > NEW"},
    {"\xFF\xFE"sv, "is UTF-16", "iconv -f UTF-16 -t UTF-8 {} > NEW"},
    {"\xFE\xFF"sv, "is UTF-16", "iconv -f UTF-16 -t UTF-8 {} > NEW"}};

/// Every other byte of Latin letters in UTF-16 is 0, in text none is.
bool is_utf16_without_mark(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 1024);
  return std::ranges::count(begin, '\0') * 4 > static_cast<ptrdiff_t>(begin.size());
}

/// What the bytes are instead of text, and what to do; "" where nothing says that they are not.
std::string other_kind(std::string_view bytes, const std::string& name) {
  const auto advice = [&](const OtherKind& kind) {
    return fmt::format("{}: {}; expected text: {}", name, kind.is,
                       fmt::format(fmt::runtime(kind.command), for_a_shell(name)));
  };
  for (const OtherKind& kind : kOtherKinds) {
    const bool is_text = kind.begins == "BZh" && find_invalid_utf8(bytes) == std::string::npos;
    if (bytes.starts_with(kind.begins) && !is_text) return advice(kind);
  }
  if (!is_utf16_without_mark(bytes)) return "";
  // The first letter of a text is seldom beyond U+00FF: its 0 says which byte comes first.
  return advice({"", "is UTF-16",
                 bytes.front() == '\0' ? "iconv -f UTF-16BE -t UTF-8 {} > NEW"
                                       : "iconv -f UTF-16LE -t UTF-8 {} > NEW"});
}

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

void require_text(std::string_view begin, const std::string& name) {
  if (const std::string other = other_kind(begin, name); !other.empty()) throw ConfigError(other);
}

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
  require_text(bytes, name);
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
