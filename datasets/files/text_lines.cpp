#include "datasets/files/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/system/log.h"
#include "core/text.h"

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

/// Returns the error about characters that `tr` can delete from the file.
[[noreturn]] void refuse_mark(const std::string& place, const std::string& what, const char* letter,
                              const std::string& name) {
  throw ConfigError(
      "misleading-characters",
      fmt::format("{}: {}; remove them ({})", place, what,
                  command_on_file(fmt::format("tr -d '{}' < {{}} > NEW", letter), name)));
}

std::string without_marks_command(const std::string& name) {
  return command_on_file("sed 's/\\xEF\\xBB\\xBF//g' {} > NEW", name);
}

bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Throws for a zero byte, and for a Ctrl-Z at the end.
void refuse_control_marks(std::string_view text, const std::string& name) {
  const auto place = [&](size_t at) { return place_in_text(name, text, at, 1); };
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    const size_t zeros = std::min(text.find_first_not_of('\0', zero), text.size()) - zero;
    if (zero + zeros == text.size() && zeros > 1) {
      refuse_mark(place(zero),
                  fmt::format("ends in {} bytes that are 0, as after a crash or a failed download; "
                              "get the file again",
                              zeros),
                  "\\000", name);
    }
    refuse_mark(place(zero), "a byte that is 0, which text does not have", "\\000", name);
  }
  if (const size_t end = find_end_of_dos(text); end != std::string_view::npos)
    refuse_mark(place(end), "ends in Ctrl-Z, as files of DOS do", "\\032", name);
}

/// Warns of the first U+FEFF between two letters, where a second file may begin. WikiText has such
/// characters beside blanks, from Wikipedia.
void warn_of_mark_within_a_line(std::string_view text, const std::string& name) {
  for (size_t at = 0; (at = text.find(kByteOrderMark, at)) != std::string_view::npos; ++at) {
    const size_t end = at + kByteOrderMark.size();
    if (at == 0 || is_white(text[at - 1]) || end == text.size() || is_white(text[end])) continue;
    log_warning(
        fmt::format("{}: U+FEFF between two letters is kept; if it is the byte order mark "
                    "of a second file, remove it ({})",
                    place_in_text(name, text, at, 1), without_marks_command(name)));
    return;
  }
}

}  // namespace

void require_utf8_text(std::string_view text, const std::string& name, size_t first_line) {
  const std::string trouble = trouble_with_utf8(text, name, first_line);
  if (!trouble.empty()) throw ConfigError("not-utf8", trouble);
}

std::string checked_text(std::string bytes, const std::string& name, ExpectedFile expected) {
  refuse_git_pointer(name, bytes);
  refuse_other_kind(bytes, name, expected);
  require_utf8_text(bytes, name);
  refuse_control_marks(bytes, name);
  if (const size_t at = find_doubled_line_end(bytes); at != std::string::npos) {
    refuse_mark(place_in_text(name, bytes, at, 1),
                "lines end with \\r\\r\\n, line ends that were converted twice", "\\r", name);
  }
  return without_text_marks(std::move(bytes));
}

std::string read_utf8(const std::filesystem::path& file, ExpectedFile expected) {
  return checked_text(read_file(file), file.string(), expected);
}

void refuse_marks_between_lines(std::string_view text, const std::string& name) {
  for (size_t at = 0; (at = text.find(kByteOrderMark, at)) != std::string_view::npos; ++at) {
    if (at > 0 && text[at - 1] != '\n') continue;
    throw ConfigError(
        "misleading-characters",
        fmt::format(
            "{}: this line begins with a byte order mark, as in concatenated files; remove it ({})",
            place_in_text(name, text, at, 1), without_marks_command(name)));
  }
}

std::string read_running_text(const std::filesystem::path& file) {
  std::string text = with_plain_line_ends(read_utf8(file));
  refuse_marks_between_lines(text, file.string());
  warn_of_mark_within_a_line(text, file.string());
  if (is_web_page(text)) {
    log_warning(fmt::format(
        "{}: is a web page (HTML), whose tags are read as text; if the text alone is meant: {}",
        file.string(), command_on_file("w3m -dump -T text/html {} > NEW", file.string())));
  }
  if (trimmed(text).empty()) {
    throw ConfigError("empty-file",
                      fmt::format("{}: {}; expected text", file.string(),
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

std::vector<std::string> read_lines(const std::filesystem::path& file, ExpectedFile expected) {
  return lines_of(read_utf8(file, expected));
}

std::vector<std::string> read_lines_without_marks(const std::filesystem::path& file) {
  const std::string text = read_utf8(file);
  refuse_marks_between_lines(text, file.string());
  return lines_of(text);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhite) + 1 - begin);
}

}  // namespace rethink
